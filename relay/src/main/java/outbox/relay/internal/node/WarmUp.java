package outbox.relay.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import outbox.internal.ErrorText;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionStore;

/**
 * Prepares a node before it owns partitions: connects to its destinations, and reads from the store once, so that classes
 * are loaded and statements are prepared. Everything happens in parallel, and for a bounded time.
 */
public final class WarmUp {

    private static final Duration CHECK_MAX = Duration.ofSeconds(5);
    /** Checks may take a little longer than they were asked to. */
    private static final Duration WAIT_MAX = CHECK_MAX.plusSeconds(1);

    private final PartitionStore store;
    private final RelayContext relay;

    /** One thing to do. */
    private record Step(String name, Runnable action) {}

    public WarmUp(PartitionStore store, RelayContext relay) {
        this.store = store;
        this.relay = relay;
    }

    /** Runs all steps; returns how long that took. */
    public Duration run() {
        long begun = relay.time().nanoTime();
        List<Step> steps = new ArrayList<>();
        steps.add(new Step("the first read of the store", this::read));
        for (DestinationGate gate : relay.gates().all()) {
            steps.add(new Step("the check of destination " + gate.name(), () -> gate.check(CHECK_MAX)));
        }
        CountDownLatch left = new CountDownLatch(steps.size());
        List<Thread> threads = steps.stream()
                .map(step -> Thread.ofVirtual().name("outbox-relay-prepare").start(() -> take(step, left)))
                .toList();
        try {
            if (!left.await(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.forEach(Thread::interrupt);
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
        return Duration.ofNanos(relay.time().nanoTime() - begun);
    }

    private void take(Step step, CountDownLatch left) {
        try {
            step.action().run();
        } catch (RuntimeException e) {
            relay.listener().on(new RelayEvent.PartFailed(step.name(), ErrorText.of(e), e));
        } finally {
            left.countDown();
        }
    }

    private void read() {
        ClusterLayout terms = relay.config().terms();
        if (terms.strategy().usesPartitions()) {
            store.fetch(List.of(new PartitionFetch(terms, 0, 0, Set.of(), 1, 1)));
        }
    }
}
