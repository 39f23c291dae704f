package outbox.testkit;

import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

/** Events of one key arrive in the order in which they were handed over. */
interface TransportOrderContract extends TransportPart {

    @Test
    default void keepsTheOrderOfEachKeyOverManyCalls() {
        try (TransportUnderTest transport = open()) {
            List<EventEnvelope> events = TransportUnderTest.ofKeys(10, 20);

            var outcomes = transport
                    .oneByOne(TransportUnderTest.attempt(1, events))
                    .run(transport.fixture().patience())
                    .outcomes();

            outcomes.values().forEach(TransportUnderTest::isDelivered);
            transport.haveArrivedInOrder(events);
        }
    }

    @Test
    default void keepsTheOrderOfEachKeyWithinCalls() {
        try (TransportUnderTest transport = open()) {
            List<EventEnvelope> events = TransportUnderTest.ofKeys(5, 40);

            transport.deliverAll(events);

            transport.haveArrivedInOrder(events);
        }
    }
}
