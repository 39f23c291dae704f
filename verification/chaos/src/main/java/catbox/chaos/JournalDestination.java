package catbox.chaos;

import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/**
 * The outside world: events take effect when their line is in the journal, a little after they were sent and a little
 * before that is acknowledged. Now and then one is refused, or takes effect and is reported as failed.
 */
final class JournalDestination implements Destination {

    private static final int REFUSED_PER_MILLE = 15;
    private static final int UNACKNOWLEDGED_PER_MILLE = 5;
    private static final int THERE_MICROS_MAX = 8_000;
    private static final int BACK_MICROS_MAX = 4_000;
    private static final Outcome DELIVERED = new Outcome.Delivered();

    private final Journal journal;
    private final Random random;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);

    JournalDestination(Journal journal, Random random) {
        this.journal = journal;
        this.random = random;
    }

    /** Several events of a key may come together: they take effect one after the other, up to the first that fails. */
    @Override
    public DestinationTraits traits() {
        return DestinationTraits.requestResponse().withEventsPerKeyMax(5).withKeysInFlightMax(20);
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        long sentAt = Clock.micros();
        later(THERE_MICROS_MAX, () -> {
            Outcome[] outcomes = takeEffect(deliveries, sentAt);
            later(BACK_MICROS_MAX, () -> {
                for (int i = 0; i < outcomes.length; i++) {
                    receipt.report(i, outcomes[i]);
                }
            });
        });
    }

    private Outcome[] takeEffect(List<Delivery> deliveries, long sentAt) {
        Outcome[] outcomes = new Outcome[deliveries.size()];
        boolean failed = false;
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] = failed
                    ? new Outcome.Retryable("one before it failed", null)
                    : takeEffect(deliveries.get(i), sentAt);
            failed |= !outcomes[i].equals(DELIVERED);
        }
        return outcomes;
    }

    private Outcome takeEffect(Delivery delivery, long sentAt) {
        String eventId = delivery.event().eventId();
        int dice = random.nextInt(1_000);
        if (dice < REFUSED_PER_MILLE) {
            journal.refused(eventId);
            return new Outcome.Retryable("refused by chance", null);
        }
        boolean acknowledged = dice >= REFUSED_PER_MILLE + UNACKNOWLEDGED_PER_MILLE;
        Numbered event = Numbered.of(delivery.event().payloadJson());
        journal.arrived(new Entry.Sent(sentAt, eventId, event), acknowledged);
        return acknowledged ? DELIVERED : new Outcome.Retryable("arrived, but said to have failed", null);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What fails here is seen as an event that does not arrive.
    private void later(int microsMax, Runnable action) {
        try {
            threads.schedule(action, random.nextInt(microsMax), TimeUnit.MICROSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed: what is under way has no effect any more.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
