package outbox.kafka;

import org.jspecify.annotations.Nullable;
import outbox.message.MessageForm;
import outbox.message.MessageWriter;
import outbox.message.Template;
import outbox.spi.Settings;

/**
 * Configuration of a Kafka cluster as a destination.
 *
 * @param topic filled in for each event, unless its route names the topic
 * @param transactionalIdPrefix common prefix of the partitions' transactional ids; null: no transactions
 */
public record KafkaConfig(
        ClientProperties client,
        Template topic,
        MessageWriter writer,
        TopicCreation creation,
        @Nullable String transactionalIdPrefix) {

    /**
     * Reads the settings of a destination.
     *
     * @throws IllegalArgumentException naming the setting that is missing or wrong, and what is allowed
     */
    public static KafkaConfig from(Settings settings) {
        MessageWriter writer = MessageWriter.from(settings, "ce_");
        String topic = writer.form() == MessageForm.DEBEZIUM_OUTBOX ? "outbox.event.{aggregateType}" : "{eventType}";
        boolean transactional = settings.flag("transactional", false);
        String prefix = settings.text("transactional-id-prefix").orElse("outbox-" + settings.name());
        return new KafkaConfig(
                ClientProperties.from(settings, transactional),
                settings.parsed("topic", Template::parse).orElseGet(() -> Template.parse(topic)),
                writer,
                TopicCreation.from(settings),
                transactional ? prefix : null);
    }
}
