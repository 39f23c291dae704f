package outbox.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Destination;
import outbox.testkit.InMemoryTransport.Flaw;

/** A server in memory, for a contract that has to be quick. */
final class InMemoryTransportFixture implements TransportFixture {

    private final InMemoryTransport.Server server = new InMemoryTransport.Server();
    private final Flaw flaw;
    private final List<InMemoryTransport> made = new ArrayList<>();
    private @Nullable InMemoryTransport destination;

    InMemoryTransportFixture(Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    public Destination destination() {
        if (destination == null) {
            destination = make("right");
        }
        return destination;
    }

    @Override
    public Destination withRefusedCredentials() {
        return make(WRONG_SECRET);
    }

    private InMemoryTransport make(String password) {
        InMemoryTransport transport = new InMemoryTransport(
                server, flaw, password, answersWithin().dividedBy(2).toNanos());
        made.add(transport);
        return transport;
    }

    @Override
    public List<Received> received(int atLeast) {
        try {
            Await.until(
                    "enough has arrived", patience(), () -> server.received().size() >= atLeast);
        } catch (AssertionError e) {
            // The contract looks at what there is.
        }
        return server.received();
    }

    @Override
    public void stopBroker() {
        server.up(false);
    }

    @Override
    public void startBroker() {
        server.up(true);
    }

    @Override
    public void freezeBroker() {
        server.frozen(true);
    }

    @Override
    public void thawBroker() {
        server.frozen(false);
    }

    @Override
    public EventEnvelope oversized() {
        return EventEnvelope.ofJson("Large", "\"" + "x".repeat(InMemoryTransport.BODY_BYTES_MAX) + "\"");
    }

    @Override
    public Delivery refused(EventEnvelope event) {
        return new Delivery(event, 1, InMemoryTransport.MISSING, Delivery.NO_PARTITION);
    }

    @Override
    public Duration answersWithin() {
        return Duration.ofMillis(400);
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(flaw == Flaw.NONE ? 20 : 2);
    }

    @Override
    public void close() {
        made.forEach(transport -> {
            transport.release();
            transport.close();
        });
    }
}
