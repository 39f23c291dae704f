package catbox.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import outbox.relay.DestinationStatus;
import outbox.relay.config.DestinationSettings;
import outbox.relay.observe.RelayEvent.BreakerChanged;

class DestinationHealthTest {

    private static final Instant SINCE = Instant.parse("2026-03-01T10:00:00Z");
    private static final Instant NEXT = SINCE.plusSeconds(90);

    private final DestinationSettings plan = DestinationSettings.read("kafka", Map.of("kind", "kafka"));

    @Test
    void isUnknownUntilTheDestinationWasContacted() {
        Health health = DestinationHealth.health(plan, DestinationStatus.NOT_CONTACTED);

        assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(health.getDetails()).isEqualTo(Map.of("kind", "kafka"));
    }

    @Test
    void saysOfADestinationThatIsDownSinceWhenAndWhyAndWhenItIsProbed() {
        Health health = DestinationHealth.health(
                plan,
                new DestinationStatus(
                        DestinationStatus.State.DOWN,
                        BreakerChanged.State.CLOSED,
                        false,
                        0,
                        SINCE,
                        "connection refused",
                        NEXT,
                        List.of()));

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails())
                .isEqualTo(Map.of(
                        "kind", "kafka", "downSince", SINCE, "nextProbe", NEXT, "lastError", "connection refused"));
    }

    @Test
    void namesTheAddressesThatAreUnavailableWhileTheDestinationIsUp() {
        DestinationStatus.Address orders =
                new DestinationStatus.Address("orders", SINCE, "the topic does not exist", NEXT, false);

        Health health = DestinationHealth.health(
                plan,
                new DestinationStatus(
                        DestinationStatus.State.UP,
                        BreakerChanged.State.CLOSED,
                        false,
                        0,
                        null,
                        null,
                        null,
                        List.of(orders)));

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("unavailableAddresses", List.of(orders));
    }
}
