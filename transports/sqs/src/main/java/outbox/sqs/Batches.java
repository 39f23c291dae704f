package outbox.sqs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups messages into as few requests as their number and size allow, each for one queue and in the given order. */
final class Batches {

    /** The limit of SQS for one request. */
    static final int MESSAGES_MAX = 10;

    private Batches() {}

    static List<List<SqsMessage>> of(List<SqsMessage> messages, long bytesMax) {
        Map<String, List<SqsMessage>> open = new LinkedHashMap<>();
        Map<String, Long> bytes = new LinkedHashMap<>();
        List<List<SqsMessage>> batches = new ArrayList<>();
        for (SqsMessage message : messages) {
            List<SqsMessage> batch = open.get(message.queue());
            long sum = bytes.getOrDefault(message.queue(), 0L) + message.bytes();
            if (batch == null || batch.size() == MESSAGES_MAX || sum > bytesMax) {
                batch = new ArrayList<>();
                batches.add(batch);
                open.put(message.queue(), batch);
                sum = message.bytes();
            }
            batch.add(message);
            bytes.put(message.queue(), sum);
        }
        return batches;
    }
}
