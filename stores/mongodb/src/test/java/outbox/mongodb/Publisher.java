package outbox.mongodb;

import com.mongodb.client.MongoClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.mongodb.internal.event.MongoPublishStore;

/** An application that stores events only, each in a transaction of its own, and notes what was committed. */
final class Publisher {

    private final OutboxClient client;
    private final MongoTransactions transactions;
    private final Map<String, List<String>> committed = new ConcurrentHashMap<>();

    Publisher(MongoClient mongo, MongoSource source) {
        ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        this.client = OutboxClient.storeOnly(new MongoPublishStore(context, source));
        this.transactions = new MongoTransactions(mongo, context);
    }

    String publish(String key) {
        EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                .orderingKey(key)
                .payloadJson("{}")
                .build();
        transactions.run(session -> client.publish(event));
        committed.computeIfAbsent(key, k -> new CopyOnWriteArrayList<>()).add(event.eventId());
        return event.eventId();
    }

    /** The ids of a key's events, each committed before the next was inserted. */
    List<String> committed(String key) {
        return List.copyOf(committed.getOrDefault(key, List.of()));
    }

    List<String> committed() {
        List<String> all = new ArrayList<>();
        committed.values().forEach(all::addAll);
        return all;
    }
}
