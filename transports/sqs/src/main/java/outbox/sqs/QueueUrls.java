package outbox.sqs;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Knows the URLs of queues, each asked for once. */
final class QueueUrls {

    /** Templates can name any number of queues, and memory has an end. */
    private static final int KNOWN_MAX = 10_000;

    private final Map<String, CompletableFuture<String>> known = new ConcurrentHashMap<>();

    /**
     * The URL of a queue that is given by name or by URL. Whoever asks first looks it up, and the others wait for that; a
     * failure is theirs too, and is not remembered.
     */
    String of(String queue, UnaryOperator<String> lookUp) {
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
        } catch (RuntimeException e) {
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

    /** Forgets a queue that has vanished; it may come back under another URL. */
    void forget(String queue) {
        known.remove(queue);
    }
}
