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

    /**
     * Closing may end while a query still waits for the lock, and nothing would close the client that it creates then.
     */
    @Test
    void queryAfterClosingCreatesNoClient() throws Exception {
        String name = "scout-" + Ulids.SYSTEM.next();
        TopicProbe probe = new TopicProbe(
                KafkaConfig.from(new Settings("destination " + name, name, Map.of("bootstrap-servers", "127.0.0.1:1")))
                        .client());
        probe.close();

        assertThatThrownBy(() -> probe.partitions("orders", Duration.ofSeconds(1)))
                .isInstanceOf(KafkaException.class)
                .hasMessageContaining("closed");

        assertThat(ManagementFactory.getPlatformMBeanServer()
                        .queryNames(new ObjectName("kafka.consumer:type=app-info,*"), null))
                .noneMatch(bean -> bean.toString().contains(name));
    }
}
