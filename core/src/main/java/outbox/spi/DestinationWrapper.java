package outbox.spi;

import java.util.List;
import outbox.model.Delivery;

/** A destination that wraps another one and passes on what it does not override. */
public interface DestinationWrapper extends Destination {

    Destination wrapped();

    @Override
    default DestinationTraits traits() {
        return wrapped().traits();
    }

    @Override
    default void deliver(List<Delivery> deliveries, Receipt receipt) {
        wrapped().deliver(deliveries, receipt);
    }

    @Override
    default String addressOf(Delivery delivery) {
        return wrapped().addressOf(delivery);
    }

    @Override
    default void close() {
        wrapped().close();
    }
}
