package outbox.kafka;

import outbox.spi.Settings;

/**
 * Controls whether and how missing topics are created.
 *
 * @param partitions {@link #AS_THE_BROKER_SAYS} or a count
 * @param replicationFactor {@link #AS_THE_BROKER_SAYS} or a count
 */
public record TopicCreation(boolean enabled, int partitions, int replicationFactor) {

    public static final int AS_THE_BROKER_SAYS = -1;

    static TopicCreation from(Settings settings) {
        return new TopicCreation(
                settings.flag("create-topics", false),
                settings.number("partitions", AS_THE_BROKER_SAYS, 1, 100_000),
                settings.number("replication-factor", AS_THE_BROKER_SAYS, 1, Short.MAX_VALUE));
    }
}
