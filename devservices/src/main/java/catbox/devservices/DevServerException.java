package catbox.devservices;

/** A server could not be had, started or used; the message says what was tried and what the server logged last. */
public final class DevServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DevServerException(String message) {
        super(message);
    }

    DevServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
