package outbox.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import outbox.OutboxException;
import outbox.internal.ErrorText;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/**
 * Delivers events to an HTTP API.
 *
 * <p>The events of one key in a call are sent as a sequence of requests on one virtual thread. Between calls it only
 * keeps open connections, and the progress of searches for a rejected event.
 */
public final class HttpDestination implements Destination, Checkable {

    private static final Outcome CLOSED = new Outcome.Unavailable("the destination is closed", Scope.CALL);
    private static final long END_SECONDS_MAX = 5;

    private final HttpConfig config;
    private final AddressGuard guard;
    private final ExecutorService calls;
    private final ExecutorService clientThreads;
    private final KeyCall.Tools tools;

    /** Opens no connection yet. */
    public HttpDestination(String name, HttpConfig config) {
        this(name, config, HttpContext.system());
    }

    HttpDestination(String name, HttpConfig config, HttpContext context) {
        this.config = config;
        this.guard = new AddressGuard(config.addresses(), context.resolver());
        this.calls = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("outbox-http-" + name + "-", 0).factory());
        this.clientThreads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("outbox-http-client-" + name + "-", 0).factory());
        this.tools = new KeyCall.Tools(
                new GuardedClient(config, context, clientThreads),
                new RequestWriter(config, context.time()),
                new ResponseClassifier(config.answers(), context.time(), secrets(config.target())),
                new InterruptedSearches(),
                context.time());
    }

    private static List<String> secrets(HttpTarget target) {
        List<String> secrets = new ArrayList<>();
        target.headers().values().forEach(value -> secrets.add(value.reveal()));
        if (target.token() != null) {
            secrets.add(target.token().reveal());
        }
        return secrets;
    }

    @Override
    public DestinationTraits traits() {
        int perRequest = config.framing().eventsPerRequestMax();
        int keys = config.limits().keysInFlight();
        return DestinationTraits.requestResponse()
                .withEventsPerKeyMax(perRequest)
                .withKeysInFlightMax(keys)
                .withEventsInFlightMax(Math.max(1, Math.multiplyExact(perRequest, keys)));
    }

    @Override
    public String addressOf(Delivery delivery) {
        return config.target().pathOf(delivery);
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        Map<String, List<KeyCall.Item>> byKey = new LinkedHashMap<>();
        for (int index = 0; index < deliveries.size(); index++) {
            String key = deliveries.get(index).event().orderingKey();
            // Events without a key arrive together only if they form one lane; then they have an order too.
            byKey.computeIfAbsent(key == null ? "" : "=" + key, each -> new ArrayList<>())
                    .add(new KeyCall.Item(index, deliveries.get(index)));
        }
        byKey.forEach((key, items) -> begin(key, items, receipt));
    }

    private void begin(String key, List<KeyCall.Item> items, Receipt receipt) {
        try {
            calls.execute(() -> deliverKey(key, items, receipt));
        } catch (RejectedExecutionException e) {
            items.forEach(item -> receipt.report(item.index(), CLOSED));
        }
    }

    private void deliverKey(String key, List<KeyCall.Item> items, Receipt receipt) {
        try {
            new KeyCall(
                            tools,
                            receipt::report,
                            key,
                            config.framing().eventsPerRequestMax(),
                            config.limits().requestTimeout())
                    .run(items);
        } catch (InterruptedException e) {
            // Only closing interrupts. Outcomes that are already reported stay, because the first report counts.
            items.forEach(item -> receipt.report(item.index(), CLOSED));
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            Outcome failed = new Outcome.Retryable(ErrorText.of(e), null);
            items.forEach(item -> receipt.report(item.index(), failed));
        }
    }

    /**
     * Connects to the host and port, and sends nothing, because no request is harmless for every API. The connection
     * cannot be kept, and a server that answers all requests with 503 passes; the first event finds out.
     */
    @Override
    public void check(Duration timeout) {
        String place = String.valueOf(config.target().baseUrl());
        Future<?> attempt = calls.submit(() -> connect(timeout));
        try {
            // Name resolution may take longer than the connection.
            attempt.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new OutboxException(FailureText.of(place, FailureText.unwrapped(e)), e);
        } catch (TimeoutException e) {
            throw new OutboxException(place + ": no connection within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxException(place + ": interrupted", e);
        } finally {
            attempt.cancel(true);
        }
    }

    private void connect(Duration timeout) {
        HttpTarget target = config.target();
        try (Socket socket = new Socket()) {
            InetAddress address = guard.addresses(target.baseUrl().getHost()).get(0);
            socket.connect(new InetSocketAddress(address, target.port()), (int) timeout.toMillis());
        } catch (SocketTimeoutException e) {
            throw new UncheckedIOException(new HttpConnectTimeoutException(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        calls.shutdownNow();
        try {
            if (!calls.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                System.getLogger(HttpDestination.class.getName())
                        .log(System.Logger.Level.WARNING, "requests to {0} did not end in time", this);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            tools.client().close();
            clientThreads.shutdown();
        }
    }

    /** Shows the URL, and no secret. */
    @Override
    public String toString() {
        return "HttpDestination[" + config.target().baseUrl() + "]";
    }
}
