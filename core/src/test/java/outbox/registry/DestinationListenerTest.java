package outbox.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.DestinationUnavailableException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.PermanentFailureException;
import outbox.PublishFailedException;
import outbox.RetryAfterException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.FakeDestination;

final class DestinationListenerTest {

    private static final EventEnvelope EVENT = EventEnvelope.ofJson("OrderPlaced", "{}");

    private static void deliver(Outcome outcome) throws Exception {
        new DestinationListener(new FakeDestination(outcome)).onEvent(EVENT);
    }

    @Test
    void passesOnTheAttempt() throws Exception {
        FakeDestination destination = new FakeDestination(new Outcome.Delivered());
        DestinationListener listener = new DestinationListener(destination);

        listener.onDelivery(new Delivery(EVENT, 7));
        listener.onEvent(EVENT);

        assertThat(destination.deliveries()).containsExactly(new Delivery(EVENT, 7), new Delivery(EVENT, 1));
    }

    @Test
    void throwsWhatTheOutcomeMeans() {
        assertThatThrownBy(() -> deliver(new Outcome.Rejected("too large")))
                .isInstanceOf(PermanentFailureException.class)
                .hasMessage("too large");
        assertThatThrownBy(() -> deliver(new Outcome.Retryable("down", null)))
                .isInstanceOf(PublishFailedException.class)
                .hasMessageContaining("down");
        assertThatThrownBy(() -> deliver(new Outcome.Retryable("busy", Duration.ofSeconds(5))))
                .isInstanceOfSatisfying(RetryAfterException.class, asked -> {
                    assertThat(asked.delay()).isEqualTo(Duration.ofSeconds(5));
                    assertThat(asked).hasMessage("busy");
                });
        assertThatThrownBy(() -> deliver(new Outcome.Unavailable("refused", Outcome.Unavailable.Scope.DESTINATION)))
                .isInstanceOfSatisfying(DestinationUnavailableException.class, unavailable -> {
                    assertThat(unavailable.retryAfter()).isPresent();
                    assertThat(unavailable).hasMessage("refused");
                });
    }

    @Test
    void doesNotWaitForEver() {
        DestinationListener listener = new DestinationListener(new FakeDestination(null), Duration.ofMillis(20));

        assertThatThrownBy(() -> listener.onEvent(EVENT))
                .isInstanceOf(DestinationUnavailableException.class)
                .hasMessageContaining("did not answer within PT0.02S");
    }

    @Test
    void anInterruptIsNotSwallowed() {
        DestinationListener listener = new DestinationListener(new FakeDestination(null));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> listener.onEvent(EVENT)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void needsADeadline() {
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatThrownBy(() -> new DestinationListener(new FakeDestination(null), wrong))
                    .hasMessageContaining("deadline must be positive");
        }
    }

    // ---- in the registry -------------------------------------------------------------------------------------------

    @Test
    void isRegisteredForSeveralTypesAtOnce() throws Exception {
        FakeDestination destination = new FakeDestination(new Outcome.Delivered());
        DefaultListenerRegistry registry =
                new DefaultListenerRegistry().registerDestination(destination, "OrderPlaced", "OrderPaid");

        for (String type : List.of("OrderPlaced", "OrderPaid", "Other")) {
            for (EventListener listener : registry.listenersFor(type)) {
                listener.onEvent(EventEnvelope.ofJson(type, "{}"));
            }
        }

        assertThat(destination.deliveries())
                .extracting(delivery -> delivery.event().eventType())
                .containsExactly("OrderPlaced", "OrderPaid");
    }

    @Test
    void takesEveryTypeByAStar() {
        DefaultListenerRegistry registry =
                new DefaultListenerRegistry().registerDestination(new FakeDestination(null), "*");

        assertThat(registry.listenersFor("Anything")).hasSize(1);
    }

    @Test
    void isRegisteredForSomething() {
        assertThatThrownBy(() -> new DefaultListenerRegistry().registerDestination(new FakeDestination(null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("*");
    }
}
