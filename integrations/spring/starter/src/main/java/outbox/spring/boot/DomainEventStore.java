package outbox.spring.boot;

import java.util.Optional;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;
import outbox.OutboxClient;

/**
 * Stores what is published with {@code ApplicationEventPublisher} and has {@link OutboxEvent}, in the publisher's
 * transaction and by the call itself. So it is there before commit whatever other listeners do, in the order of the
 * calls, and a failure fails the code that published.
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
                    + " ApplicationEvent, whose source is no part of a payload; publish a class that does not");
        }
    }

    /** The transaction is the publishing thread's. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    /** Before the application's own listeners, which may rely on its being stored. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
