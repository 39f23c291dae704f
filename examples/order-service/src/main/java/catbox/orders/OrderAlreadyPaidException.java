package catbox.orders;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** An order that is paid can be neither paid again nor changed. */
final class OrderAlreadyPaidException extends ErrorResponseException {

    private static final long serialVersionUID = 1L;

    OrderAlreadyPaidException(long orderId) {
        super(
                HttpStatus.CONFLICT,
                ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "Order " + orderId + " is paid already."),
                null);
    }
}
