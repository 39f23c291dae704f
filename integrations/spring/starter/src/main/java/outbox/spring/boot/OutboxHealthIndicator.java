package outbox.spring.boot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while the tables can be reached and delivery runs. A destination that is down does not make the application
 * unhealthy, because restarting it would not help: breakers are told as details.
 */
final class OutboxHealthIndicator extends AbstractHealthIndicator {

    private final OutboxSchema schema;
    private final EventDelivery delivery;

    OutboxHealthIndicator(OutboxSchema schema, EventDelivery delivery) {
        super("the outbox's tables cannot be reached");
        this.schema = schema;
        this.delivery = delivery;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.withDetails(delivery.details());
        schema.reach();
        String complaint = delivery.complaint();
        if (complaint == null) {
            builder.up();
        } else {
            builder.down().withDetail("error", complaint);
        }
    }
}
