package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import outbox.testkit.ManualTime;

final class QueueUrlsTest {

    private final ManualTime time = new ManualTime();
    private final QueueUrls urls = new QueueUrls(time);
    private final List<String> asked = new ArrayList<>();

    @Test
    void lookAQueueUpOnce() {
        assertThat(urls.of("orders", this::lookup)).isEqualTo("https://sqs/orders");
        assertThat(urls.of("orders", this::lookup)).isEqualTo("https://sqs/orders");

        assertThat(asked).containsExactly("orders");
    }

    @Test
    void useAUrlUnchanged() {
        assertThat(urls.of("https://sqs/1/orders", this::lookup)).isEqualTo("https://sqs/1/orders");
        assertThat(asked).isEmpty();
    }

    @Test
    void lookUpAgainAfterAFailureAndForAForgottenQueue() {
        assertThatThrownBy(() -> urls.of("orders", queue -> {
                    throw new IllegalStateException("no answer");
                }))
                .hasMessage("no answer");
        urls.of("orders", this::lookup);
        urls.avoid("orders", new IllegalStateException("gone"));
        time.advance(QueueUrls.REST);
        urls.of("orders", this::lookup);

        assertThat(asked).hasSize(2);
    }

    @Test
    void lookUpAgainAfterAnError() {
        assertThatThrownBy(() -> urls.of("orders", name -> {
                    throw new NoClassDefFoundError("com/example/Missing");
                }))
                .isInstanceOf(NoClassDefFoundError.class);

        assertThat(CompletableFuture.supplyAsync(() -> urls.of("orders", name -> "http://here/" + name)))
                .succeedsWithin(Duration.ofSeconds(30))
                .isEqualTo("http://here/orders");
    }

    @Test
    void lookAFailingQueueUpOnceInAWhileAndNotDelayOthers() {
        urls.avoid("orders", new IllegalStateException("gone"));
        for (int event = 0; event < 1_000; event++) {
            time.advance(Duration.ofMillis(1).minusNanos(1));
            assertThatThrownBy(() -> urls.of("orders", this::lookup)).hasMessage("gone");
            urls.avoid("orders", new IllegalStateException("gone")); // This does not extend the time.
        }
        urls.of("invoices", this::lookup);
        time.advance(Duration.ofMillis(1));
        urls.of("orders", this::lookup);

        assertThat(asked).containsExactly("invoices", "orders");
    }

    private String lookup(String queue) {
        asked.add(queue);
        return "https://sqs/" + queue;
    }
}
