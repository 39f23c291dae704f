package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import javax.management.ObjectName;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import outbox.internal.Ulids;
import outbox.spi.Settings;

final class TopicProbeTest {

    /** Closing may end while a question still waits for its turn, and nothing would close what it makes then. */
    @Test
    void aQuestionAfterTheEndMakesNoClient() throws Exception {
        String name = "scout-" + Ulids.SYSTEM.next();
        TopicProbe scout = new TopicProbe(
                KafkaConfig.from(new Settings("destination " + name, name, Map.of("bootstrap-servers", "127.0.0.1:1")))
                        .client());
        scout.close();

        assertThatThrownBy(() -> scout.partitions("orders", Duration.ofSeconds(1)))
                .isInstanceOf(KafkaException.class)
                .hasMessageContaining("closed");

        assertThat(ManagementFactory.getPlatformMBeanServer()
                        .queryNames(new ObjectName("kafka.consumer:type=app-info,*"), null))
                .noneMatch(bean -> bean.toString().contains(name));
    }
}
