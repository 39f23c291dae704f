package outbox.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.message.Message;
import outbox.message.MessageForm;
import outbox.message.MessageWriter;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.TimeSource;
import outbox.testkit.TransportFixture.Received;

/** A destination with a thread and a server in memory, right or wrong in one way. */
final class InMemoryTransport implements Destination, Checkable {

    static final String MISSING = "missing";
    static final int BODY_BYTES_MAX = 200_000;

    /** The ways to be wrong. */
    enum Flaw {
        NONE,
        REPORTS_WITHOUT_DELIVERING,
        REPORTS_ANOTHER_INDEX,
        DELIVERS_TWICE,
        REORDERS_A_KEY,
        SWALLOWS_AN_OUTCOME,
        SWALLOWS_OUTCOMES_AT_CLOSE,
        SHOWS_ITS_SECRET,
        LEAVES_A_THREAD,
        BLOCKS_IN_DELIVER,
        LOSES_HEADERS,
        SENDS_THE_FIRST_ATTEMPT_ALWAYS,
        REWRITES_JSON,
        SPOILS_BINARY,
        SWAPS_KEYS,
        FAILS_ALL_FOR_ONE,
        OVERTAKES_THE_REFUSED,
        REJECTS_WHEN_DOWN,
        REPORTS_DELIVERED_WHEN_DOWN,
        WAITS_FOR_EVER,
        REJECTS_CREDENTIALS,
        IGNORES_REFUSED_CREDENTIALS,
        RETRIES_THE_OVERSIZED,
        DELIVERS_AFTER_CLOSE,
        BLAMES_THE_EVENT_FOR_AN_OUTAGE,
        BLAMES_THE_EVENT_FOR_SILENCE,
        BLAMES_THE_EVENT_FOR_A_REFUSED_LOGIN,
        CHECKS_NOTHING,
        LEAVES_A_THREAD_PER_CHECK,
        NEEDS_A_KEY
    }

    /** The other side. Safe for use by several threads. */
    static final class Server {
        private final List<Received> received = new ArrayList<>();
        private boolean up = true;
        private boolean frozen;

        synchronized void up(boolean now) {
            up = now;
        }

        synchronized void frozen(boolean now) {
            frozen = now;
        }

        synchronized boolean isUp() {
            return up;
        }

        synchronized boolean isFrozen() {
            return frozen;
        }

        synchronized void take(Received message) {
            received.add(message);
        }

        synchronized List<Received> received() {
            return List.copyOf(received);
        }
    }

    /** An attempt that waits for the thread. */
    private record Begun(List<Delivery> call, int index, Receipt receipt, long since) {
        Delivery delivery() {
            return call.get(index);
        }
    }

    private final Server server;
    private final Flaw flaw;
    private final String password;
    private final long timeoutNanos;
    private final Thread thread;
    private final CountDownLatch release = new CountDownLatch(1);

    // Guarded by this.
    private final Deque<Begun> waiting = new ArrayDeque<>();
    private boolean closed;
    private int count;

    InMemoryTransport(Server server, Flaw flaw, String password, long timeoutNanos) {
        this.server = server;
        this.flaw = flaw;
        this.password = password;
        this.timeoutNanos = timeoutNanos;
        this.thread = Thread.ofPlatform().name("in-memory-transport").daemon().start(this::work);
    }

    @Override
    public DestinationTraits traits() {
        boolean several = flaw == Flaw.OVERTAKES_THE_REFUSED || flaw == Flaw.REORDERS_A_KEY;
        return DestinationTraits.streaming().withEventsPerKeyMax(several ? 100 : 1);
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        if (flaw == Flaw.BLOCKS_IN_DELIVER) {
            awaitThaw();
        }
        List<Begun> begun = new ArrayList<>();
        for (int index = 0; index < deliveries.size(); index++) {
            begun.add(new Begun(deliveries, index, receipt, TimeSource.SYSTEM.nanoTime()));
        }
        if (flaw == Flaw.REORDERS_A_KEY) {
            Collections.reverse(begun);
        }
        boolean late;
        synchronized (this) {
            late = closed;
            if (!late) {
                waiting.addAll(begun);
                notifyAll();
            }
        }
        if (late) {
            begun.forEach(each -> {
                if (flaw == Flaw.DELIVERS_AFTER_CLOSE) {
                    send(each.delivery());
                    report(each, new Outcome.Delivered());
                } else {
                    report(each, new Outcome.Retryable("the destination is closed", null));
                }
            });
        }
    }

    private void awaitThaw() {
        try {
            synchronized (this) {
                long start = TimeSource.SYSTEM.nanoTime();
                while (server.isFrozen() && TimeSource.SYSTEM.nanoTime() - start < 3_000_000_000L) {
                    wait(50);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- its thread ------------------------------------------------------------------------------------------------

    private void work() {
        try {
            while (true) {
                Begun next;
                synchronized (this) {
                    while (waiting.isEmpty() || isStuck(waiting.element())) {
                        if (closed && waiting.isEmpty()) {
                            break;
                        }
                        wait(10);
                    }
                    if (waiting.isEmpty()) {
                        break;
                    }
                    next = waiting.remove();
                    count++;
                }
                attempt(next);
            }
            if (flaw == Flaw.LEAVES_A_THREAD) {
                awaitRelease();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isStuck(Begun begun) {
        boolean late = TimeSource.SYSTEM.nanoTime() - begun.since() > timeoutNanos;
        return server.isFrozen() && !closed && (!late || flaw == Flaw.WAITS_FOR_EVER);
    }

    private void attempt(Begun begun) {
        Delivery delivery = begun.delivery();
        boolean closing;
        synchronized (this) {
            closing = closed;
        }
        if (closing) {
            if (flaw != Flaw.SWALLOWS_OUTCOMES_AT_CLOSE) {
                report(begun, new Outcome.Retryable("closed before it was confirmed", null));
            }
        } else if (server.isFrozen()) {
            boolean blamed = flaw == Flaw.BLAMES_THE_EVENT_FOR_SILENCE;
            report(begun, new Outcome.Retryable("no answer within the timeout", null, !blamed));
        } else if (!server.isUp()) {
            report(begun, down());
        } else if (flaw == Flaw.SWALLOWS_AN_OUTCOME && count == 7) {
            send(delivery);
        } else {
            Outcome outcome = outcome(begun);
            if (outcome instanceof Outcome.Delivered) {
                send(delivery);
            }
            report(begun, outcome);
        }
    }

    private Outcome down() {
        return switch (flaw) {
            case REJECTS_WHEN_DOWN -> new Outcome.Rejected("the server is down");
            case REPORTS_DELIVERED_WHEN_DOWN -> new Outcome.Delivered("memory", -1, -1);
            case BLAMES_THE_EVENT_FOR_AN_OUTAGE -> new Outcome.Retryable("the server is down", null);
            default -> new Outcome.Unavailable("the server is down", Scope.DESTINATION);
        };
    }

    private Outcome outcome(Begun begun) {
        Delivery delivery = begun.delivery();
        if (password.equals(TransportFixture.WRONG_SECRET) && flaw != Flaw.IGNORES_REFUSED_CREDENTIALS) {
            String told = flaw == Flaw.SHOWS_ITS_SECRET ? ": " + password : "";
            return switch (flaw) {
                case REJECTS_CREDENTIALS -> new Outcome.Rejected("credentials refused");
                case BLAMES_THE_EVENT_FOR_A_REFUSED_LOGIN -> new Outcome.Retryable("credentials refused", null);
                default -> new Outcome.Unavailable("credentials refused" + told, Scope.DESTINATION);
            };
        }
        if (delivery.event().payloadSize() > BODY_BYTES_MAX) {
            return flaw == Flaw.RETRIES_THE_OVERSIZED
                    ? new Outcome.Retryable("too large", null)
                    : new Outcome.Rejected("too large");
        }
        if (flaw == Flaw.NEEDS_A_KEY && delivery.event().orderingKey() == null) {
            return new Outcome.Rejected("no key");
        }
        boolean refusedOne = MISSING.equals(delivery.address());
        boolean refusedCall = begun.call().stream().anyMatch(each -> MISSING.equals(each.address()));
        if (refusedOne || (refusedCall && flaw == Flaw.FAILS_ALL_FOR_ONE)) {
            return new Outcome.Unavailable("there is no " + MISSING, Scope.ADDRESS);
        }
        return new Outcome.Delivered("memory", -1, -1);
    }

    private void report(Begun begun, Outcome outcome) {
        begun.receipt().report(flaw == Flaw.REPORTS_ANOTHER_INDEX ? begun.index() + 1 : begun.index(), outcome);
    }

    private void send(Delivery delivery) {
        EventEnvelope event = delivery.event();
        Delivery told = flaw == Flaw.SENDS_THE_FIRST_ATTEMPT_ALWAYS ? new Delivery(event, 1) : delivery;
        Message message = new MessageWriter(MessageForm.PLAIN, "/test", "ce_").write(told);
        byte[] body = message.body();
        if (flaw == Flaw.REWRITES_JSON && event.payloadJson() != null) {
            body = message.text().replace(" ", "").getBytes(StandardCharsets.UTF_8);
        } else if (flaw == Flaw.SPOILS_BINARY && event.payloadJson() == null) {
            body = message.text().getBytes(StandardCharsets.UTF_8);
        }
        Map<String, String> headers = flaw == Flaw.LOSES_HEADERS ? Map.of() : message.headers();
        String key = flaw == Flaw.SWAPS_KEYS ? "another" : message.key();
        if (flaw != Flaw.REPORTS_WITHOUT_DELIVERING || count % 5 != 1) {
            server.take(Received.of(event.eventId(), key, body, headers));
        }
        if (flaw == Flaw.DELIVERS_TWICE) {
            server.take(Received.of(event.eventId(), key, body, headers));
        }
    }

    @Override
    public void check(Duration timeout) {
        if (flaw == Flaw.LEAVES_A_THREAD_PER_CHECK) {
            Thread.ofPlatform().daemon().start(this::awaitRelease);
        }
        if (!server.isUp() && flaw != Flaw.CHECKS_NOTHING) {
            throw new OutboxException("the server is down");
        }
    }

    private void awaitRelease() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets a thread go that was left on purpose. */
    void release() {
        release.countDown();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        if (flaw != Flaw.LEAVES_A_THREAD) {
            try {
                thread.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
