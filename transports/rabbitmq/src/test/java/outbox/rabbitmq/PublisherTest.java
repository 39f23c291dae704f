package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;

@Timeout(60)
final class PublisherTest {

    @Test
    void anErrorInItsThreadDoesNotEndIt() throws IOException {
        Map<String, String> settings =
                Map.of("host", "127.0.0.1", "port", Integer.toString(portOfNobody()), "confirm-timeout", "50s");
        try (Destination destination = DestinationFactory.create("rabbitmq", "orders", settings)) {
            destination.deliver(List.of(Deliveries.to("orders")), (index, outcome) -> {
                throw new NoClassDefFoundError("com/example/Missing");
            });

            Outcome next = Deliveries.deliver(destination, Deliveries.event());

            assertThat(Deliveries.isUnavailable(next, Scope.DESTINATION)).isTrue();
            assertThat(Deliveries.error(next)).contains("cannot connect to 127.0.0.1");
        }
    }

    private static int portOfNobody() throws IOException {
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return gone.getLocalPort();
        }
    }
}
