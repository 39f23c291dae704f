package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Date;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.KeyHash;
import outbox.mongodb.internal.event.MongoPublishStore;

/** Documents as operators see them in the collection. */
@Timeout(60)
class EventDocumentIT {

    private TestMongo mongo;

    @BeforeEach
    void open() {
        mongo = TestMongo.open().installed();
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @Test
    void aNewEventHasTheFieldsThatPeopleKnow() {
        Document document = stored(EventEnvelope.builder("OrderPlaced")
                .eventId("0HZXEQ5Y8JY5Z")
                .orderingKey("order-123")
                .occurredAt(Instant.parse("2026-11-15T09:05:03.123456Z"))
                .header("trace", "1")
                .payloadJson("{ \"orderId\": 123 }")
                .build());

        assertThat(document)
                .containsEntry("_id", "0HZXEQ5Y8JY5Z")
                .containsEntry("type", "OrderPlaced")
                .containsEntry("messageGroup", "order-123")
                .containsEntry("payload", "{ \"orderId\": 123 }")
                .containsEntry("headers", "{\"trace\":\"1\"}")
                .containsEntry("status", "PENDING")
                .containsEntry("retryCount", 0)
                .containsEntry("keyHash", KeyHash.of("order-123"))
                .containsEntry("bucket", KeyHash.of("order-123") % 120)
                .containsEntry("occurredAt", Date.from(Instant.parse("2026-11-15T09:05:03.123Z")))
                .containsEntry("occurredMicros", 456)
                .doesNotContainKeys("processedAt", "errorMessage", "claimToken", "aggregateId", "delayed");
        assertThat(document.getDate("createdAt")).isBeforeOrEqualTo(document.getDate("dueAt"));
        assertThat(document.get("seq", BsonTimestamp.class).getTime()).isPositive();
    }

    @Test
    void aBinaryPayloadIsBinary() {
        Document document = stored(EventEnvelope.ofBytes("Picture", new byte[] {1, 0, -1}));

        assertThat(document.get("payload", Binary.class).getData()).containsExactly(1, 0, -1);
    }

    @Test
    void anInsertByAnyOtherProgramTakesItsPlaceInTheOrder() {
        Document before = stored(EventEnvelope.ofJson("A", "{}"));
        Document foreign = new Document(before).append("_id", "foreign").append("seq", new BsonTimestamp(0, 0));
        mongo.source().collections().events().insertOne(foreign);
        Document after = stored(EventEnvelope.ofJson("A", "{}"));

        Document found = mongo.source()
                .collections()
                .events()
                .find(new Document("_id", "foreign"))
                .first();
        assertThat(found.get("seq", BsonTimestamp.class))
                .isGreaterThan(before.get("seq", BsonTimestamp.class))
                .isLessThan(after.get("seq", BsonTimestamp.class));
    }

    private Document stored(EventEnvelope event) {
        ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        OutboxClient client = OutboxClient.storeOnly(new MongoPublishStore(context, mongo.source()));
        new MongoTransactions(mongo.client(), context).run(session -> client.publish(event));
        return mongo.source()
                .collections()
                .events()
                .find(new Document("_id", event.eventId()))
                .first();
    }
}
