package outbox.relay.internal.deliver;

/** Limits the events per second, and allows bursts of a tenth of a second. Not thread-safe: its gate guards it. */
final class RateLimit {

    private static final double NANOS = 1e9;

    private final int perSecond;
    private final double burst;
    private double tokens;
    private long atNanos;

    RateLimit(int perSecond, long nowNanos) {
        this.perSecond = perSecond;
        this.burst = Math.max(1, perSecond / 10.0);
        this.tokens = burst;
        this.atNanos = nowNanos;
    }

    /** Takes as many events as the rate allows now, at most the wanted number. */
    int take(int wanted, long nowNanos) {
        if (perSecond == 0) {
            return wanted;
        }
        tokens = Math.min(burst, tokens + (nowNanos - atNanos) * perSecond / NANOS);
        atNanos = nowNanos;
        int taken = (int) Math.min(wanted, Math.floor(tokens));
        tokens -= taken;
        return taken;
    }

    void release(int unused) {
        if (perSecond > 0) {
            tokens += unused;
        }
    }

    /** How long until another event is allowed. */
    long nextInNanos() {
        return perSecond == 0 || tokens >= 1 ? 0 : (long) Math.ceil((1 - tokens) * NANOS / perSecond);
    }
}
