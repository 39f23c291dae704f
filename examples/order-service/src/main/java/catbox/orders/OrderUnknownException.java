package catbox.orders;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** There is no such order, or it is somebody else's, which is nobody's business. */
final class OrderUnknownException extends ErrorResponseException {

    private static final long serialVersionUID = 1L;

    OrderUnknownException(long orderId) {
        super(
                HttpStatus.NOT_FOUND,
                ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "You have no order " + orderId + "."),
                null);
    }
}
