package catbox.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.relay.DestinationStatus;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.BreakerChanged;
import outbox.spi.operations.Finding;

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
    void advisesOfADestinationThatWasNeverContacted() {
        assertThat(SourceFindings.ofDestination("kafka", DestinationStatus.NOT_CONTACTED, null))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.code()).isEqualTo("destination-not-contacted");
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.ADVICE);
                    assertThat(finding.evidence()).isEqualTo("destination kafka");
                });
        assertThat(SourceFindings.ofDestination(
                        "kafka",
                        new DestinationStatus(
                                DestinationStatus.State.UP,
                                BreakerChanged.State.CLOSED,
                                false,
                                0,
                                null,
                                null,
                                null,
                                List.of()),
                        null))
                .isEmpty();
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
