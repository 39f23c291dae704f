package outbox.dispatch;

/** How long to wait after a failure. */
@FunctionalInterface
public interface RetryPolicy {

    /** The delay after the given number of failed attempts, the latest included; at least 1. */
    long computeDelayMs(int attempts);
}
