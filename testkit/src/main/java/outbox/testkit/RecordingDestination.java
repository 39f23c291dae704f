package outbox.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/**
 * A destination that keeps what it is given and answers as it is told: by {@link #answer} at once, or, after
 * {@link #delayAnswers}, when the test releases them. Safe for use by any number of threads; answers are worked out
 * and reported on the thread that delivers or releases, outside any lock.
 */
public final class RecordingDestination implements Destination {

    private final DestinationTraits traits;

    // All guarded by this.
    private final List<List<Delivery>> calls = new ArrayList<>();
    private final List<Begun> delayed = new ArrayList<>();
    private Function<Delivery, Outcome> answer = delivery -> new Outcome.Delivered();
    private Predicate<Delivery> delaying = delivery -> false;
    private boolean closed;

    /** An attempt that waits for its answer. */
    private record Begun(Delivery delivery, int index, Receipt receipt) {}

    public RecordingDestination() {
        this(DestinationTraits.streaming());
    }

    public RecordingDestination(DestinationTraits traits) {
        this.traits = traits;
    }

    @Override
    public DestinationTraits traits() {
        return traits;
    }

    /** How attempts are answered from now on; those that are held too, when they are released. */
    public synchronized void answer(Function<Delivery, Outcome> how) {
        answer = how;
    }

    /** Answers no attempt until it is released. */
    public void delayAnswers() {
        delayAnswers(delivery -> true);
    }

    /** Answers none of these attempts until it is released. */
    public synchronized void delayAnswers(Predicate<Delivery> which) {
        delaying = which;
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        List<Begun> begun = new ArrayList<>();
        for (int index = 0; index < deliveries.size(); index++) {
            begun.add(new Begun(deliveries.get(index), index, receipt));
        }
        keep(List.copyOf(deliveries), begun).forEach(this::report);
    }

    /** Keeps what is delivered, and gives what is answered at once. */
    private synchronized List<Begun> keep(List<Delivery> deliveries, List<Begun> begun) {
        if (closed) {
            throw new IllegalStateException("the destination is closed");
        }
        calls.add(deliveries);
        List<Begun> answered = new ArrayList<>();
        begun.forEach(attempt -> (delaying.test(attempt.delivery()) ? delayed : answered).add(attempt));
        return answered;
    }

    private void report(Begun attempt) {
        attempt.receipt().report(attempt.index(), answerTo(attempt.delivery()));
    }

    private Outcome answerTo(Delivery delivery) {
        Function<Delivery, Outcome> how;
        synchronized (this) {
            how = answer;
        }
        return how.apply(delivery);
    }

    /** Answers the attempt that was held longest, and says whether there was one. */
    public boolean releaseOne() {
        List<Begun> oldest = takeDelayed(1);
        oldest.forEach(this::report);
        return !oldest.isEmpty();
    }

    /** Answers everything that is held, the newest first, and goes on holding. */
    public void releaseNewestFirst() {
        takeDelayed(Integer.MAX_VALUE).reversed().forEach(this::report);
    }

    /** Answers everything that is held, and holds nothing from now on. */
    public void releaseAll() {
        synchronized (this) {
            delaying = delivery -> false;
        }
        takeDelayed(Integer.MAX_VALUE).forEach(this::report);
    }

    private synchronized List<Begun> takeDelayed(int max) {
        List<Begun> oldest = delayed.subList(0, Math.min(max, delayed.size()));
        List<Begun> taken = List.copyOf(oldest);
        oldest.clear();
        return taken;
    }

    /** The attempts that wait for their answer, oldest first. */
    public synchronized List<Delivery> delayed() {
        return delayed.stream().map(Begun::delivery).toList();
    }

    /** Every attempt so far, in the order in which they were begun. */
    public synchronized List<Delivery> deliveries() {
        return calls.stream().flatMap(List::stream).toList();
    }

    /** The ids of the events of {@link #deliveries()}. */
    public List<String> eventIds() {
        return deliveries().stream().map(delivery -> delivery.event().eventId()).toList();
    }

    /** What came together in one call each, in the order of the calls. */
    public synchronized List<List<Delivery>> calls() {
        return List.copyOf(calls);
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /** Answers nothing more: what is held is never reported. */
    @Override
    public synchronized void close() {
        closed = true;
        delayed.clear();
    }
}
