package outbox.spi;

import org.jspecify.annotations.Nullable;

/** A password, token or key. It shows itself to whoever asks for it, and never by accident. */
public final class Secret {

    private final String value;

    public Secret(String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a secret must not be empty");
        }
        this.value = value;
    }

    /** The secret itself. Its place is the call that needs it. */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return Secret.class.hashCode(); // Says nothing about the value.
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
