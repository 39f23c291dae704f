package outbox.internal;

import java.time.Duration;
import outbox.model.Claim;

/** A claim that this instance holds, with the time until which it is safe by this instance's monotonic clock. */
public final class HeldClaim {

    private final Claim claim;
    private final long leaseNanos;

    /** Written by the keeper and by workers after a renewal; read by workers. */
    private volatile long sinceNanos;
    /** Written by the keeper when the store no longer knows the claim; read by workers. */
    private volatile boolean lost;

    /**
     * A claim whose lease began no earlier than {@code sinceNanos}. That is the time before the store was asked, so
     * that this side gives up before the store does.
     */
    public HeldClaim(Claim claim, Duration lease, long sinceNanos) {
        this.claim = claim;
        this.leaseNanos = lease.toNanos();
        this.sinceNanos = sinceNanos;
    }

    public Claim claim() {
        return claim;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    boolean isLost() {
        return lost;
    }

    void lose() {
        lost = true;
    }

    /**
     * Whether a quarter of the lease is left, which is enough to begin a delivery.
     */
    boolean isSafeAt(long nowNanos) {
        return nowNanos - sinceNanos < leaseNanos - leaseNanos / 4;
    }

    /** Whether a third of the lease has passed, so that the claim is due for renewal. */
    boolean isDueForRenewalAt(long nowNanos) {
        return nowNanos - sinceNanos >= leaseNanos / 3;
    }

    void renewedSince(long nanos) {
        sinceNanos = nanos;
    }
}
