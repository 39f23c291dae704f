package outbox.spring.boot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while the events can be reached and delivery runs. A destination that is down does not make the application
 * unhealthy, because restarting it would not help: breakers are told as details.
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
        store.reach();
        String complaint = delivery.complaint();
        if (complaint == null) {
            builder.up();
        } else {
            builder.down().withDetail("error", complaint);
        }
    }
}
