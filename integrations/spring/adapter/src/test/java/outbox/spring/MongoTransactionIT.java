package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.DevServices;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.SessionSynchronization;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;

/** MongoDB has no savepoints, and transactions of other managers may be active on the thread. */
class MongoTransactionIT extends TransactionContract {

    private CollectionStore collections;
    private TestDatabase other;

    @Override
    TestStore openStore() {
        collections = CollectionStore.open();
        return collections;
    }

    @AfterAll
    void closeOther() {
        if (other != null) {
            other.close();
        }
    }

    @Test
    void refusesATransactionOfAnotherDatabase() {
        assertRefused(onTables(), status -> {});
    }

    @Test
    void refusesATransactionOfAnotherDatabaseAlsoIfSpringDataHasJoinedIt() {
        MongoTemplate joining = new MongoTemplate(collections.factory());
        joining.setSessionSynchronization(SessionSynchronization.ALWAYS);

        assertRefused(onTables(), status -> joining.insert(new Document("_id", 1L), "business"));
        assertThat(collections.business()).isEmpty();
    }

    @Test
    void refusesATransactionOfAnotherFactory() {
        MongoDatabaseFactory another = new SimpleMongoClientDatabaseFactory(
                collections.client(), collections.factory().getMongoDatabase().getName());

        assertRefused(new MongoTransactionManager(another), status -> {});
    }

    @Test
    void leavesTheEventToThePollerIfTheCommitIsUncertain() {
        TransactionTemplate template = new TransactionTemplate(new ReplyLost(collections.factory()));

        assertThatThrownBy(() -> template.executeWithoutResult(status -> publish("A")))
                .isInstanceOf(TransactionSystemException.class);

        assertThat(collections.stored()).containsExactly("A");
        assertHandedOver();
    }

    /** Commits, but loses the reply. */
    private static final class ReplyLost extends MongoTransactionManager {

        private static final long serialVersionUID = 1L;

        ReplyLost(MongoDatabaseFactory factory) {
            super(factory);
        }

        @Override
        protected void doCommit(MongoTransactionObject transaction) throws Exception {
            super.doCommit(transaction);
            throw new MongoException("the reply was lost");
        }
    }

    @Test
    void refusesAClientOtherThanTheTransactions() {
        try (MongoClient another = MongoClients.create(DevServices.mongoDbUri())) {
            MongoSource source = new MongoSource(
                    another, collections.factory().getMongoDatabase().getName());
            OutboxClient client = OutboxClient.storeOnly(new MongoStores(source).publishing(collections.txContext()));

            assertThatThrownBy(() -> run(status -> client.publish(EventEnvelope.ofJson("A", "{}"))))
                    .hasMessageContaining("same MongoClient");
        }
        assertDelivered();
    }

    private void assertRefused(PlatformTransactionManager transactions, Consumer<TransactionStatus> before) {
        TransactionTemplate template = new TransactionTemplate(transactions);
        template.setName("billing");
        assertThatIllegalStateException()
                .isThrownBy(() -> template.executeWithoutResult(status -> {
                    before.accept(status);
                    publish("A");
                }))
                .withMessageContaining("transaction billing was not begun by a MongoTransactionManager")
                .withMessageContaining("not be atomic");
        assertDelivered();
    }

    private PlatformTransactionManager onTables() {
        if (other == null) {
            other = new TestDatabase();
        }
        return new JdbcTransactionManager(other.dataSource);
    }
}
