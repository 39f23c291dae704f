package catbox.orders;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The order does not exist, or belongs to another user, which the response must not reveal. */
final class OrderUnknownException extends ErrorResponseException {

    private static final long serialVersionUID = 1L;

    OrderUnknownException(long orderId) {
        super(
                HttpStatus.NOT_FOUND,
                ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "You have no order " + orderId + "."),
                null);
    }
}
