package catbox.devservices;

/**
 * Thrown when a server is not available, does not start or cannot be used. The message contains what was tried and the
 * end of the server's log.
 */
public final class DevServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DevServerException(String message) {
        super(message);
    }

    DevServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
