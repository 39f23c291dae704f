package outbox;

/** An event that cannot be published as it is. The message names the field, what was given and what is allowed. */
public final class InvalidEventException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String field;

    public InvalidEventException(String field, String problem) {
        super(field + " " + problem);
        this.field = field;
    }

    /** The field that is wrong, as the builder names it. */
    public String field() {
        return field;
    }
}
