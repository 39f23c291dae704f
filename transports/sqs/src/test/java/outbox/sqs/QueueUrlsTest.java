package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class QueueUrlsTest {

    private final QueueUrls urls = new QueueUrls();
    private final List<String> asked = new ArrayList<>();

    @Test
    void askForAQueueOnce() {
        assertThat(urls.of("orders", this::lookUp)).isEqualTo("https://sqs/orders");
        assertThat(urls.of("orders", this::lookUp)).isEqualTo("https://sqs/orders");

        assertThat(asked).containsExactly("orders");
    }

    @Test
    void takeAUrlAsItIs() {
        assertThat(urls.of("https://sqs/1/orders", this::lookUp)).isEqualTo("https://sqs/1/orders");
        assertThat(asked).isEmpty();
    }

    @Test
    void askAgainAfterAFailureAndForAForgottenQueue() {
        assertThatThrownBy(() -> urls.of("orders", queue -> {
                    throw new IllegalStateException("no answer");
                }))
                .hasMessage("no answer");
        urls.of("orders", this::lookUp);
        urls.forget("orders");
        urls.of("orders", this::lookUp);

        assertThat(asked).hasSize(2);
    }

    private String lookUp(String queue) {
        asked.add(queue);
        return "https://sqs/" + queue;
    }
}
