package catbox.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.model.Finding;
import outbox.relay.deliver.DestinationStatus;
import outbox.relay.observe.RelayEvent;

class SourceFindingsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "destination-address-unavailable | the broker refused the message (basic.nack)",
                "destination-address-unavailable | http://h/p answered 429 for this event",
                "destination-place-missing       | the topic does not exist",
                "destination-credentials-refused | this user may not write to the topic"
            })
    void saysOfAnAddressThatItIsMissingOnlyIfTheErrorDoes(String code, String error) {
        Finding finding = SourceFindings.unavailable(
                "kafka", new DestinationStatus.Address("orders", Instant.EPOCH, error, Instant.EPOCH, false));

        assertThat(finding.code()).isEqualTo(code);
        assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
        assertThat(finding.evidence())
                .startsWith("destination kafka, address orders, since ")
                .endsWith(error);
    }

    @Test
    void saysWhatTheKeysOfAFullPartitionWaitFor() {
        assertThat(SourceFindings.full(new RelayEvent.LanesFull(3, 10_000, "kafka/orders"))
                        .evidence())
                .isEqualTo("partition 3: 10000 keys wait, many of them for kafka/orders");
        assertThat(SourceFindings.full(new RelayEvent.LanesFull(3, 10_000, null))
                        .evidence())
                .isEqualTo("partition 3: 10000 keys wait, for a retry or a route");
    }
}
