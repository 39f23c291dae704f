package outbox.spring.boot;

import java.util.Optional;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;
import outbox.OutboxClient;

/**
 * Stores events that are published with {@code ApplicationEventPublisher} and have {@link OutboxEvent}. The call itself
 * stores them, in the publisher's transaction. They are therefore stored before the commit whatever other listeners do,
 * in the order of the calls, and a failure reaches the code that published.
 */
final class DomainEventStore implements ApplicationListener<ApplicationEvent>, Ordered {

    private final OutboxClient client;
    private final EventCodec codec;

    DomainEventStore(OutboxClient client, EventCodec codec) {
        this.client = client;
        this.codec = codec;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (event instanceof PayloadApplicationEvent<?> published) {
            Object payload = published.getPayload();
            Optional<EventClass> eventClass = codec.classOf(payload.getClass());
            eventClass.ifPresent(known -> client.publish(codec.write(known, payload)));
        } else if (codec.classOf(event.getClass()).isPresent()) {
            throw new IllegalArgumentException(event.getClass().getName() + " has @OutboxEvent and extends"
                    + " ApplicationEvent, whose source does not belong in a payload; publish a class that does not");
        }
    }

    /** The transaction is bound to the publishing thread. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    /** Runs before the application's own listeners, which may rely on the event being stored. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
