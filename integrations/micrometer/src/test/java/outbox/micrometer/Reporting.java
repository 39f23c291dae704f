package outbox.micrometer;

import java.util.List;
import java.util.function.BiConsumer;
import outbox.model.Delivery;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/** A destination that reports outcomes as the test chooses. */
record Reporting(BiConsumer<Integer, Destination.Receipt> answer) implements Destination {

    @Override
    public DestinationTraits traits() {
        return DestinationTraits.streaming();
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        for (int index = 0; index < deliveries.size(); index++) {
            answer.accept(index, receipt);
        }
    }

    @Override
    public void close() {}
}
