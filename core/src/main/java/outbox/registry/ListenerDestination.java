package outbox.registry;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/**
 * Calls listeners as the destination of a relay, the events of one key one at a time and in order.
 *
 * <p>The address of an event is its type. While a listener reports that a system it needs is unavailable, the events of
 * that type wait and all others are delivered.
 *
 * <p>A listener cannot be stopped. When it outlasts the relay's deadline, the next event of its key waits until the
 * listener has returned, because two calls of one key at a time would break the order.
 */
public final class ListenerDestination implements Destination {

    public static final int WORKERS_DEFAULT = 16;

    private static final int WORKERS_MAX = 1_000;
    private static final int EVENTS_PER_KEY_MAX = 10;
    private static final long BYTES_IN_FLIGHT_MAX = 64L << 20;
    private static final long CLOSE_SECONDS_MAX = 5;

    private static final Outcome CLOSED = new Unavailable("the destination is closed", Scope.CALL);
    private static final Outcome NOT_CALLED =
            new Unavailable("an event of the same key before it was not delivered", Scope.CALL);

    private final ListenerCaller caller;
    private final DestinationTraits traits;
    private final ExecutorService workers;

    /** The calls of each key; the first one runs. A key is removed with its last call. Guarded by the map's lock. */
    private final Map<String, Deque<Call>> callsOfKey = new HashMap<>();

    /** Written by the thread that closes, read by the workers. */
    private volatile boolean closed;

    /** The deliveries of one key, by their index in the relay's call. */
    private record Call(@Nullable String key, Map<Integer, Delivery> deliveries, Receipt receipt) {}

    /** Calls listeners on 16 threads. */
    public ListenerDestination(ListenerRegistry registry) {
        this(registry, WORKERS_DEFAULT);
    }

    /** @param workers how many listeners are called at the same time, each on a thread of its own: 1 to 1000 */
    public ListenerDestination(ListenerRegistry registry, int workers) {
        if (workers < 1 || workers > WORKERS_MAX) {
            throw new IllegalArgumentException("workers must be from 1 to " + WORKERS_MAX + ", was " + workers);
        }
        this.caller = new ListenerCaller(registry);
        this.traits = new DestinationTraits(
                EVENTS_PER_KEY_MAX, 1, workers, workers * EVENTS_PER_KEY_MAX, BYTES_IN_FLIGHT_MAX);
        this.workers = Executors.newFixedThreadPool(
                workers,
                Thread.ofPlatform().name("outbox-listener-", 1).daemon(true).factory());
    }

    @Override
    public DestinationTraits traits() {
        return traits;
    }

    @Override
    public String addressOf(Delivery delivery) {
        return delivery.event().eventType();
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        Map<@Nullable String, Map<Integer, Delivery>> byKey = new LinkedHashMap<>();
        for (int index = 0; index < deliveries.size(); index++) {
            Delivery delivery = deliveries.get(index);
            byKey.computeIfAbsent(delivery.event().orderingKey(), key -> new LinkedHashMap<>())
                    .put(index, delivery);
        }
        byKey.forEach((key, ofKey) -> queue(new Call(key, ofKey, receipt)));
    }

    private void queue(Call call) {
        if (call.key() != null) {
            synchronized (callsOfKey) {
                Deque<Call> calls = callsOfKey.computeIfAbsent(call.key(), key -> new ArrayDeque<>());
                calls.add(call);
                if (calls.size() > 1) {
                    return; // The call before it starts it.
                }
            }
        }
        start(call);
    }

    private void start(Call call) {
        try {
            workers.execute(() -> run(call));
        } catch (RejectedExecutionException e) {
            run(call); // Closed, so this only reports.
        }
    }

    private void run(Call call) {
        try {
            boolean delivered = true;
            for (Map.Entry<Integer, Delivery> entry : call.deliveries().entrySet()) {
                boolean calls = delivered && !isSuperseded(call);
                Outcome outcome = closed ? CLOSED : calls ? outcome(entry.getValue()) : NOT_CALLED;
                delivered = outcome instanceof Outcome.Delivered;
                call.receipt().report(entry.getKey(), outcome);
            }
        } finally { // A receipt that throws must not stop the key.
            if (call.key() != null) {
                startNext(call.key());
            }
        }
    }

    // The relay starts another call of a key only after it has given up this one, and then expects the answer of the
    // new one.
    private boolean isSuperseded(Call call) {
        if (call.key() == null) {
            return false;
        }
        synchronized (callsOfKey) {
            Deque<Call> calls = callsOfKey.get(call.key());
            return calls != null && !call.equals(calls.peekLast());
        }
    }

    private Outcome outcome(Delivery delivery) {
        Outcome outcome = caller.deliver(delivery);
        if (!closed) {
            Thread.interrupted(); // Only close interrupts workers: a listener left this behind.
        }
        return switch (outcome) {
            case Outcome.Delivered delivered -> delivered;
            case Outcome failed when closed -> CLOSED; // The interrupt ended it, so the attempt does not count.
            case Unavailable unavailable -> new Unavailable(unavailable.error(), Scope.ADDRESS, unavailable.after());
            case Outcome failed -> failed;
        };
    }

    private void startNext(String key) {
        Call next;
        synchronized (callsOfKey) {
            Deque<Call> calls = callsOfKey.getOrDefault(key, new ArrayDeque<>());
            calls.poll();
            next = calls.peek();
            if (next == null) {
                callsOfKey.remove(key);
            }
        }
        if (next != null) {
            start(next);
        }
    }

    /** Interrupts the listeners that still run. Reports their events, and those that wait, as not delivered. */
    @Override
    public void close() {
        closed = true;
        workers.shutdownNow().forEach(Runnable::run);
        try {
            if (!workers.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                System.getLogger(ListenerDestination.class.getName())
                        .log(
                                System.Logger.Level.WARNING,
                                "a listener still runs {0} s after it was interrupted",
                                CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
