package outbox.spring.boot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports UP while the events can be read and delivery runs. A destination that is down does not make the application
 * unhealthy, because restarting the application would not help; the details show its breaker.
 */
final class OutboxHealthIndicator extends AbstractHealthIndicator {

    private final OutboxStore store;
    private final EventDelivery delivery;

    OutboxHealthIndicator(OutboxStore store, EventDelivery delivery) {
        super("the outbox cannot be reached");
        this.store = store;
        this.delivery = delivery;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.withDetails(delivery.details());
        store.requireReachable();
        String problem = delivery.problem();
        if (problem == null) {
            builder.up();
        } else {
            builder.down().withDetail("error", problem);
        }
    }
}
