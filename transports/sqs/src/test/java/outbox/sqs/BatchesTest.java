package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BatchesTest {

    private final List<SqsMessage> messages = new ArrayList<>();

    @Test
    void makesNoRequestWithoutMessages() {
        assertThat(batches(100)).isEmpty();
    }

    @Test
    void limitsARequestToTenMessages() {
        addAll("orders", 21, 1);

        assertThat(batches(100)).extracting(List::size).containsExactly(10, 10, 1);
    }

    @Test
    void endsARequestBeforeItGetsTooLarge() {
        addAll("orders", 3, 40);
        addAll("orders", 1, 60);

        assertThat(indexes(100)).containsExactly(List.of(0, 1), List.of(2, 3));
    }

    @Test
    void fillsARequestToTheLastByte() {
        addAll("orders", 2, 50);

        assertThat(indexes(100)).containsExactly(List.of(0, 1));
        assertThat(indexes(99)).containsExactly(List.of(0), List.of(1));
    }

    @Test
    void keepsQueuesApartAndTheOrderOfEach() {
        addAll("orders", 1, 1);
        addAll("invoices", 1, 1);
        addAll("orders", 1, 1);

        assertThat(indexes(100)).containsExactly(List.of(0, 2), List.of(1));
    }

    @Test
    void countsTheBytesOfEachQueueSeparately() {
        addAll("orders", 1, 60);
        addAll("invoices", 1, 60);
        addAll("orders", 1, 40);
        addAll("invoices", 1, 41);

        assertThat(indexes(100)).containsExactly(List.of(0, 2), List.of(1), List.of(3));
    }

    private void addAll(String queue, int count, long bytes) {
        for (int n = 0; n < count; n++) {
            messages.add(new SqsMessage(messages.size(), queue, "{}", Map.of(), null, bytes));
        }
    }

    private List<List<SqsMessage>> batches(long bytesMax) {
        return Batches.of(messages, bytesMax);
    }

    private List<List<Integer>> indexes(long bytesMax) {
        return batches(bytesMax).stream()
                .map(batch -> batch.stream().map(SqsMessage::index).toList())
                .toList();
    }
}
