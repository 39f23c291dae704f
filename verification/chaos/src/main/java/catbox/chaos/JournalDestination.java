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
 * The destination of the relays. An event takes effect when its line is in the journal, a little after it was sent and
 * a little before it is acknowledged. Occasionally it refuses an event, or records an event and reports a failure.
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

    /**
     * Several events of a key may arrive in one call. They take effect one after another, up to the first that fails.
     */
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
                    ? new Outcome.Retryable("an earlier event failed", null)
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
        return acknowledged ? DELIVERED : new Outcome.Retryable("arrived, but reported as failed", null);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A failure here shows as an event that does not arrive.
    private void later(int microsMax, Runnable action) {
        try {
            threads.schedule(action, random.nextInt(microsMax), TimeUnit.MICROSECONDS);
        } catch (RejectedExecutionException e) {
            // The destination is closed: deliveries in flight no longer take effect.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
