package outbox.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

final class PublishResultTest {

    private final EventEnvelope event = EventEnvelope.builder("OrderPlaced")
            .orderingKey("k")
            .payloadJson("{}")
            .build();

    @Test
    void namesThePlaceAsPeopleDo() {
        assertThat(PublishResult.of(event, new Outcome.Delivered("orders", 3, 42)))
                .isEqualTo(new PublishResult("OrderPlaced", "k", "orders-3@42", 3, 42));
        assertThat(PublishResult.of(event, new Outcome.Delivered("queue", -1, -1))
                        .metadata())
                .isEqualTo("queue");
    }

    @Test
    void aDestinationMayKnowNothing() {
        EventEnvelope withoutKey = EventEnvelope.ofJson("T", "1");

        assertThat(PublishResult.of(withoutKey, new Outcome.Delivered()))
                .isEqualTo(new PublishResult("T", null, "", -1, -1));
    }
}
