package catbox.server.api;

/** A request is longer than any that makes sense. */
final class TooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooLargeException(int bytesMax) {
        super("the body has more than " + bytesMax + " bytes");
    }
}
