package outbox.sqs;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event in the form of SQS.
 *
 * @param index of its delivery in the call
 * @param queue the name or the URL of the queue
 * @param order null on a standard queue
 * @param bytes of the body and the attributes, as SQS counts them
 */
record SqsMessage(
        int index,
        String queue,
        String body,
        Map<String, String> attributes,
        @Nullable Order order,
        long bytes) {

    private static final String FIFO = ".fifo";

    /** The ids by which a FIFO queue orders messages and recognises duplicates. */
    record Order(String group, String deduplication) {}

    /** Returns whether a queue of this name or URL is a FIFO queue, which SQS itself determines by the name alone. */
    static boolean isFifo(String queue) {
        return queue.endsWith(FIFO);
    }
}
