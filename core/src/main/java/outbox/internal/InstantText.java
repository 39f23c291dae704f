package outbox.internal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Formats times as {@link Instant#toString()} does, but far faster: every message has one. */
public final class InstantText {

    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final long YEAR_10000 = LocalDateTime.of(10_000, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC);

    private InstantText() {}

    public static String of(Instant instant) {
        long second = instant.getEpochSecond();
        int nano = instant.getNano();
        if (second < 0 || second >= YEAR_10000) {
            return instant.toString(); // Years before the first, and those of five digits, have a sign.
        }
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        byte[] text = new byte[30];
        int end = put(text, 0, time.getYear(), 4, '-');
        end = put(text, end, time.getMonthValue(), 2, '-');
        end = put(text, end, time.getDayOfMonth(), 2, 'T');
        end = put(text, end, time.getHour(), 2, ':');
        end = put(text, end, time.getMinute(), 2, ':');
        end = put(text, end, time.getSecond(), 2, nano == 0 ? 'Z' : '.');
        if (nano % NANOS_PER_MICRO != 0) {
            end = put(text, end, nano, 9, 'Z');
        } else if (nano % NANOS_PER_MILLI != 0) {
            end = put(text, end, nano / NANOS_PER_MICRO, 6, 'Z');
        } else if (nano != 0) {
            end = put(text, end, nano / NANOS_PER_MILLI, 3, 'Z');
        }
        return new String(text, 0, end, StandardCharsets.ISO_8859_1);
    }

    /** Writes a number with this many digits and the character behind it; returns the index behind that. */
    private static int put(byte[] text, int at, int number, int digits, char next) {
        int left = number;
        for (int i = at + digits - 1; i >= at; i--) {
            text[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
        text[at + digits] = (byte) next;
        return at + digits + 1;
    }
}
