package outbox.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A server's response.
 *
 * @param body its beginning, up to {@link #BODY_BYTES_MAX}
 * @param isCut whether the body was longer
 */
record Answer(int status, @Nullable String retryAfter, String body, boolean isCut) {

    static final int BODY_BYTES_MAX = 64 << 10;

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Reads responses, and only the useful beginning of each body. */
    static HttpResponse.BodyHandler<Answer> handler() {
        return response -> new Beginning(
                response.statusCode(),
                response.headers().firstValue("retry-after").orElse(null));
    }

    /** Collects the beginning of a body, and ends the connection after it. Called by one thread at a time. */
    private static final class Beginning implements HttpResponse.BodySubscriber<Answer> {

        private final int status;
        private final @Nullable String retryAfter;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private Flow.@Nullable Subscription subscription;

        Beginning(int status, @Nullable String retryAfter) {
            this.status = status;
            this.retryAfter = retryAfter;
        }

        @Override
        public CompletionStage<Answer> getBody() {
            return answer;
        }

        @Override
        public void onSubscribe(Flow.Subscription source) {
            subscription = source;
            source.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] taken = new byte[Math.min(BODY_BYTES_MAX - bytes.size(), buffer.remaining())];
                buffer.get(taken);
                bytes.writeBytes(taken);
                if (buffer.hasRemaining() && subscription != null) {
                    subscription.cancel();
                    complete(true);
                    return;
                }
            }
        }

        @Override
        public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            complete(false);
        }

        private void complete(boolean isCut) {
            answer.complete(new Answer(status, retryAfter, bytes.toString(StandardCharsets.UTF_8), isCut));
        }
    }
}
