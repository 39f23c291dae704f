package catbox.bench.contender;

/**
 * An event of the benchmark. Its payload contains the number between two number signs, which no encoding changes, so
 * that the benchmark can find it in any form that a contender gives the payload.
 */
public record Event(long number, String key, String payload) {

    /** Returns an event whose JSON payload has this many bytes, or the few more that the number needs. */
    static Event of(long number, String key, int bytes) {
        String begin = "{\"no\":\"#" + number + "#\",\"text\":\"";
        return new Event(number, key, begin + "x".repeat(Math.max(0, bytes - begin.length() - 2)) + "\"}");
    }

    /**
     * Returns the number within a message.
     *
     * @throws IllegalArgumentException if it has none
     */
    public static long numberIn(byte[] message) {
        int at = 0;
        while (at < message.length && message[at] != '#') {
            at++;
        }
        long number = 0;
        int digits = 0;
        for (at++; at < message.length && message[at] >= '0' && message[at] <= '9'; at++, digits++) {
            number = number * 10 + message[at] - '0';
        }
        if (digits == 0 || at == message.length || message[at] != '#') {
            throw new IllegalArgumentException("no number between number signs in a message of " + message.length
                    + " bytes that the benchmark did not write");
        }
        return number;
    }
}
