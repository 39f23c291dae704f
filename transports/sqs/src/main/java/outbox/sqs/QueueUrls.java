package outbox.sqs;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import outbox.spi.TimeSource;

/** Knows the URLs of queues, each asked for once, and leaves a queue alone for a moment that has made trouble. */
final class QueueUrls {

    /** Between two tries of a queue that is missing or forbidden: not once per event. */
    static final Duration REST = Duration.ofSeconds(1);

    /** Templates can name any number of queues, and memory has an end. */
    private static final int KNOWN_MAX = 10_000;

    private final TimeSource time;
    private final Map<String, CompletableFuture<String>> known = new ConcurrentHashMap<>();
    private final Map<String, Trouble> troubles = new ConcurrentHashMap<>();

    private record Trouble(RuntimeException failure, long until) {}

    QueueUrls(TimeSource time) {
        this.time = time;
    }

    /**
     * The URL of a queue that is given by name or by URL. Whoever asks first looks it up, and the others wait for that; a
     * failure is theirs too. A queue that rests is not asked for: it still has the trouble that it had.
     */
    String of(String queue, UnaryOperator<String> lookUp) {
        Trouble trouble = troubles.get(queue);
        if (trouble != null) {
            if (time.nanoTime() - trouble.until() < 0) {
                throw trouble.failure();
            }
            troubles.remove(queue, trouble);
        }
        if (queue.startsWith("https://") || queue.startsWith("http://")) {
            return queue;
        }
        CompletableFuture<String> mine = new CompletableFuture<>();
        CompletableFuture<String> first = known.putIfAbsent(queue, mine);
        return first == null ? lookedUp(queue, lookUp, mine) : awaited(first);
    }

    private String lookedUp(String queue, UnaryOperator<String> lookUp, CompletableFuture<String> answer) {
        try {
            String url = lookUp.apply(queue);
            if (known.size() > KNOWN_MAX) {
                known.values().removeIf(CompletableFuture::isDone);
            }
            answer.complete(url);
            return url;
        } catch (Throwable e) { // An Error as well: others would wait for this answer for good, each with a request.
            known.remove(queue, answer);
            answer.completeExceptionally(e);
            throw e;
        }
    }

    private static String awaited(CompletableFuture<String> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** Forgets a queue that has vanished or may not be used, and lets it rest; it may come back under another URL. */
    void avoid(String queue, RuntimeException failure) {
        known.remove(queue);
        if (troubles.size() >= KNOWN_MAX) {
            troubles.clear();
        }
        troubles.putIfAbsent(queue, new Trouble(failure, time.nanoTime() + REST.toNanos()));
    }
}
