package outbox.spi.relay;

/**
 * One running relay.
 *
 * @param session new for each start of a process; the owner of partitions
 * @param nodeId the configured name, for people
 * @param weight its share of the partitions, relative to the others; 0 for none
 * @param version of the library
 * @param address its network address, for people
 */
public record Member(String session, String nodeId, int weight, String version, String address) {

    public static final int WEIGHT_MAX = 1_000;

    public Member {
        requireLength("session", session, 36);
        requireLength("nodeId", nodeId, 128);
        if (weight < 0 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException("weight must be from 0 to " + WEIGHT_MAX + ", was " + weight);
        }
    }

    private static void requireLength(String name, String value, int max) {
        if (value.isBlank() || value.length() > max) {
            throw new IllegalArgumentException(name + " must have 1 to " + max + " characters, was \"" + value + "\"");
        }
    }
}
