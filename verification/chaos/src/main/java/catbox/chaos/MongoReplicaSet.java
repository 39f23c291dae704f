package catbox.chaos;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;
import org.bson.Document;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.OutboxException;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;
import outbox.mongodb.MongoTransactions;
import outbox.mongodb.MongoWakeUpChannel;
import outbox.mongodb.ThreadLocalMongoTxContext;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** MongoDB. A key is a document that transactions write, and the later one of two conflicting transactions fails. */
final class MongoReplicaSet implements Database {

    private static final String NAME = "chaos";
    private static final long COMMAND_SECONDS_MAX = 10;

    private final MongoClient client;
    private final MongoSource source;

    MongoReplicaSet(String address) {
        this.client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(address))
                .timeout(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)
                .build());
        this.source = new MongoSource(client, NAME);
    }

    private MongoDatabase database() {
        return client.getDatabase(NAME).withReadConcern(ReadConcern.MAJORITY).withWriteConcern(WriteConcern.MAJORITY);
    }

    private MongoCollection<Document> events() {
        return database().getCollection(source.names().event());
    }

    private MongoCollection<Document> keys() {
        return database().getCollection("chaos_key");
    }

    @Override
    public void install(List<String> keys) {
        new MongoSchema(source).install();
        keys().insertMany(keys.stream()
                .map(key -> new Document("_id", key).append("number", 0L).append("taken", 0L))
                .toList());
    }

    @Override
    public ClusterAdmin admin() {
        return new MongoStores(source).clusterAdmin();
    }

    @Override
    public List<History.Committed> committed() {
        return events().find()
                .map(event -> {
                    Numbered numbered = Numbered.of(event.getString("payload"));
                    return new History.Committed(
                            event.getString("_id"),
                            numbered.key(),
                            numbered.number(),
                            status(event.getString("status")));
                })
                .into(new ArrayList<>());
    }

    private static int status(String state) {
        return switch (state) {
            case "COMPLETED" -> History.Committed.DONE;
            case "FAILED" -> History.Committed.DEAD;
            default -> 0;
        };
    }

    @Override
    public boolean isDrained() {
        try {
            return events().find(Filters.eq("status", "PENDING")).first() == null;
        } catch (MongoException e) {
            return false;
        }
    }

    @Override
    public boolean hasPartitions(int number) {
        try {
            Document meta =
                    database().getCollection(source.names().meta()).find().first();
            return meta != null && meta.getInteger("partitions") == number;
        } catch (MongoException e) {
            return false;
        }
    }

    @Override
    public OptionalLong progress() {
        try {
            Document last = events().find().sort(Sorts.descending("seq")).first();
            return OptionalLong.of(
                    last == null ? 0 : last.get("seq", BsonTimestamp.class).getValue());
        } catch (MongoException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public String describeSessions() {
        try {
            StringBuilder text = new StringBuilder();
            client.getDatabase("admin")
                    .aggregate(List.of(
                            new Document("$currentOp", new Document("idleSessions", true)),
                            new Document("$match", new Document("transaction", new Document("$exists", true)))))
                    .forEach(operation -> text.append(operation.toJson()).append('\n'));
            return text.toString();
        } catch (MongoException e) {
            return e.toString();
        }
    }

    @Override
    public RelayStores stores() {
        return new MongoStores(source).relay();
    }

    @Override
    public WakeUpChannel channel() {
        return new MongoWakeUpChannel(source);
    }

    /** Relays receive every commit through the change stream. */
    @Override
    public KeyedTransactions transactions(boolean wakes) {
        ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        MongoTransactions transactions = new MongoTransactions(client, context);
        OutboxClient outbox = OutboxClient.storeOnly(new MongoStores(source).publishing(context));
        return () -> {
            try {
                return new DocumentTransaction(transactions.begin(), outbox, keys());
            } catch (MongoException | OutboxException e) {
                throw new KeyedTransactions.WriteFailedException(e);
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }

    private record DocumentTransaction(
            MongoTransactions.Transaction transaction, OutboxClient outbox, MongoCollection<Document> keys)
            implements KeyedTransactions.Transaction {

        /** A transaction cannot wait for a document: the later one has to start again. */
        @Override
        public OptionalLong take(String key, boolean wait) throws KeyedTransactions.WriteFailedException {
            try {
                Document counter =
                        keys.findOneAndUpdate(transaction.session(), Filters.eq(key), Updates.inc("taken", 1L));
                return counter == null ? OptionalLong.empty() : OptionalLong.of(counter.getLong("number"));
            } catch (MongoException e) {
                if (e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                    return OptionalLong.empty();
                }
                throw new KeyedTransactions.WriteFailedException(e);
            }
        }

        @Override
        public void publish(String key, List<EventEnvelope> events, long lastNumber)
                throws KeyedTransactions.WriteFailedException {
            try {
                outbox.publishAll(events);
                keys.updateOne(transaction.session(), Filters.eq(key), Updates.set("number", lastNumber));
            } catch (MongoException | OutboxException e) {
                throw new KeyedTransactions.WriteFailedException(e);
            }
        }

        @Override
        public void commit() throws KeyedTransactions.WriteFailedException {
            try {
                transaction.commit();
            } catch (MongoException | OutboxException e) {
                throw new KeyedTransactions.WriteFailedException(e);
            }
        }

        @Override
        public void close() {
            transaction.close();
        }
    }
}
