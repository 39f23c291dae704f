package outbox.internal;

/** Checks numbers that callers give. */
public final class Limits {

    private Limits() {}

    /** The value, if it is from 1 to the maximum. */
    public static int oneTo(int max, String name, int value) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(name + " must be from 1 to " + max + ", was " + value);
        }
        return value;
    }
}
