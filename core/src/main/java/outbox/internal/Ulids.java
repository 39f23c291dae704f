package outbox.internal;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import outbox.spi.TimeSource;

/**
 * Creates monotonic ULIDs: 48 bits of milliseconds and 80 random bits, in 26 characters that sort in the order of
 * creation.
 *
 * <p>Within one millisecond, and while the clock is behind the last one used, the 80 bits count up by one, so ids of
 * one generator always ascend. If the 80 bits overflow, the millisecond advances instead.
 */
public final class Ulids {

    private static final char[] DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
    private static final long MILLIS_MAX = (1L << 48) - 1;

    /** The generator that the library uses for event ids and claim tokens. */
    public static final Ulids SYSTEM = new Ulids(TimeSource.SYSTEM, new SecureRandom());

    private final InstantSource time;
    private final RandomGenerator random;

    // All three guarded by this.
    private long millis = -1;
    private long high; // the upper 16 of the 80 bits
    private long low; // the lower 64

    public Ulids(InstantSource time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    public String next() {
        long now = Math.max(0, time.millis()); // A clock before 1970 must not create ids that sort last.
        long m;
        long h;
        long l;
        synchronized (this) {
            if (now > millis) {
                startMillisecond(now);
            } else if (++low == 0 && ++high > 0xFFFF) {
                startMillisecond(millis + 1);
            }
            m = millis;
            h = high;
            l = low;
        }
        return encode(m, h, l);
    }

    /** The first ULID of a millisecond: ids from before sort before it, and no others do. */
    public static String firstOf(Instant time) {
        return encode(Math.clamp(time.toEpochMilli(), 0, MILLIS_MAX), 0, 0);
    }

    private void startMillisecond(long now) {
        if (now > MILLIS_MAX) {
            throw new IllegalStateException("the clock is past the year 10889, the last that a ULID can contain");
        }
        millis = now;
        high = random.nextLong() & 0xFFFF;
        low = random.nextLong();
    }

    private static String encode(long millis, long high, long low) {
        char[] text = new char[26];
        long m = millis;
        for (int i = 9; i >= 0; i--) {
            text[i] = DIGITS[(int) (m & 31)];
            m >>>= 5;
        }
        // 80 bits are 16 digits of 5; the upper 16 bits and the top 24 of the lower 64 make the first eight.
        long first = high << 24 | low >>> 40;
        long last = low & 0xFF_FFFF_FFFFL;
        for (int i = 17; i >= 10; i--) {
            text[i] = DIGITS[(int) (first & 31)];
            first >>>= 5;
        }
        for (int i = 25; i >= 18; i--) {
            text[i] = DIGITS[(int) (last & 31)];
            last >>>= 5;
        }
        return new String(text);
    }
}
