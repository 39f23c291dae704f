package outbox.sqs;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import outbox.spi.TimeSource;

/** Caches the URLs of queues, and leaves a failing queue alone for a moment. */
final class QueueUrls {

    /** Time between two attempts at a missing or forbidden queue, so that not every event tries it. */
    static final Duration REST = Duration.ofSeconds(1);

    /** Bounds memory, because templates can name any number of queues. */
    private static final int KNOWN_MAX = 10_000;

    private final TimeSource time;
    private final Map<String, CompletableFuture<String>> known = new ConcurrentHashMap<>();
    private final Map<String, Problem> problems = new ConcurrentHashMap<>();

    private record Problem(RuntimeException failure, long until) {}

    QueueUrls(TimeSource time) {
        this.time = time;
    }

    /**
     * Returns the URL of a queue that is given by name or by URL. Concurrent callers share one lookup and its failure.
     * A queue that failed recently is not looked up: its failure is thrown again.
     */
    String of(String queue, UnaryOperator<String> lookup) {
        Problem problem = problems.get(queue);
        if (problem != null) {
            if (time.nanoTime() - problem.until() < 0) {
                throw problem.failure();
            }
            problems.remove(queue, problem);
        }
        if (queue.startsWith("https://") || queue.startsWith("http://")) {
            return queue;
        }
        CompletableFuture<String> ownLookup = new CompletableFuture<>();
        CompletableFuture<String> earlier = known.putIfAbsent(queue, ownLookup);
        return earlier == null ? completeLookup(queue, lookup, ownLookup) : joined(earlier);
    }

    private String completeLookup(String queue, UnaryOperator<String> lookup, CompletableFuture<String> answer) {
        try {
            String url = lookup.apply(queue);
            if (known.size() > KNOWN_MAX) {
                known.values().removeIf(CompletableFuture::isDone);
            }
            answer.complete(url);
            return url;
            // Catches errors as well: other callers would wait for this lookup forever, each with a request.
        } catch (Throwable e) {
            known.remove(queue, answer);
            answer.completeExceptionally(e);
            throw e;
        }
    }

    private static String joined(CompletableFuture<String> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /**
     * Forgets a queue that is missing or forbidden, and leaves it alone for a moment. It may return with another URL.
     */
    void avoid(String queue, RuntimeException failure) {
        known.remove(queue);
        if (problems.size() >= KNOWN_MAX) {
            problems.clear();
        }
        problems.putIfAbsent(queue, new Problem(failure, time.nanoTime() + REST.toNanos()));
    }
}
