package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SuspectsTest {

    private final Suspects suspects = new Suspects();

    private static List<AmqpMessage> messages(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> new AmqpMessage(
                        new Route("orders", "placed"),
                        new AMQP.BasicProperties.Builder().messageId(prefix + n).build(),
                        new byte[0]))
                .toList();
    }

    @Test
    void isolatesOneMessageInAFewSteps() {
        List<AmqpMessage> inFlight = messages("a", 10_000);
        AmqpMessage blamed = inFlight.get(7_777);
        for (int end = 1; end <= 4; end++) {
            suspects.add(inFlight);
            inFlight = inFlight.stream()
                    .filter(message -> suspects.of(message) == suspects.of(blamed))
                    .toList();
        }

        assertThat(inFlight).containsExactly(blamed);
    }

    @Test
    void anAnsweredMessageIsNoSuspect() {
        List<AmqpMessage> inFlight = messages("a", 3);
        suspects.add(inFlight);
        suspects.answered(inFlight.get(1));

        assertThat(suspects.of(inFlight.get(0))).isNotNull().isNotEqualTo(suspects.of(inFlight.get(2)));
        assertThat(suspects.of(inFlight.get(1))).isNull();
    }

    @Test
    void remembersAtMostTheMessagesThatCanBeInFlight() {
        List<AmqpMessage> first = messages("a", 15_000);
        suspects.add(first);
        suspects.add(messages("b", 15_000));

        assertThat(suspects.of(first.get(0))).isNull();
    }
}
