package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.NoTransactionException;
import outbox.OutboxClient;
import outbox.spi.PublishStore;

/**
 * Checks that a published event commits and rolls back with its transaction, whichever transaction manager began it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TransactionContract {

    private static final int REQUIRES_NEW = TransactionDefinition.PROPAGATION_REQUIRES_NEW;

    private TestStore store;
    private RecordingHotPath hotPath;
    private OutboxClient client;

    /** A store with a transaction manager and a business table. */
    interface TestStore extends AutoCloseable {

        PlatformTransactionManager transactions();

        PublishStore publishStore();

        void afterRollback(Runnable callback);

        /** Writes a business row through the API that belongs to the transaction manager. */
        void write(long id);

        /** Returns the ids of the business rows, in order. */
        List<String> business();

        /** Returns the types of the stored events, in the order in which they were stored. */
        List<String> stored();

        void empty();

        @Override
        void close();
    }

    abstract TestStore openStore();

    @BeforeAll
    void open() {
        store = openStore();
    }

    @AfterAll
    void close() {
        if (store != null) {
            store.close();
        }
    }

    @BeforeEach
    void begin() {
        store.empty();
        hotPath = new RecordingHotPath();
        client = new OutboxClient(store.publishStore(), hotPath);
    }

    void write(long id) {
        store.write(id);
    }

    void afterRollback(Runnable callback) {
        store.afterRollback(callback);
    }

    void publish(String type) {
        client.publish(EventEnvelope.ofJson(type, "{}"));
    }

    void run(Consumer<TransactionStatus> work) {
        run(TransactionDefinition.PROPAGATION_REQUIRED, work);
    }

    void run(int propagation, Consumer<TransactionStatus> work) {
        TransactionTemplate template = new TransactionTemplate(store.transactions());
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(work);
    }

    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    void failing(int propagation, Consumer<TransactionStatus> work) {
        assertThatThrownBy(() -> run(propagation, status -> {
                    work.accept(status);
                    throw new Refused();
                }))
                .isInstanceOf(Refused.class);
    }

    void assertDelivered(String... types) {
        assertThat(store.stored()).containsExactly(types);
        assertHandedOver(types);
    }

    void assertHandedOver(String... types) {
        assertThat(hotPath.types).containsExactly(types);
    }

    // ---- one transaction -----------------------------------------------------------------------------------------

    @Test
    void isStoredWithTheBusinessRowAndHandedOverAfterCommit() {
        run(status -> {
            write(1);
            publish("A");
            publish("B");
            assertThat(hotPath.types).isEmpty();
        });

        assertThat(store.business()).containsExactly("1");
        assertDelivered("A", "B");
    }

    @Test
    void isGoneWithItsTransaction() {
        failing(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write(1);
            publish("A");
        });

        assertThat(store.business()).isEmpty();
        assertDelivered();
    }

    @Test
    void isGoneWhenItsTransactionIsMarkedForRollback() {
        run(status -> {
            publish("A");
            status.setRollbackOnly();
            publish("B");
        });

        assertDelivered();
    }

    @Test
    void sharesTheTransactionThatItsMethodTakesPartIn() {
        run(status -> {
            run(inner -> publish("A"));
            assertThat(hotPath.types).isEmpty();
            publish("B");
        });

        assertDelivered("A", "B");
    }

    // ---- transactions within transactions ------------------------------------------------------------------------

    @Test
    void commitsAndRollsBackWithARequiresNewTransaction() {
        failing(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            publish("outer");
            run(REQUIRES_NEW, inner -> publish("inner"));
            assertThat(hotPath.types).containsExactly("inner");
        });

        assertDelivered("inner");
    }

    @Test
    void isGoneWithARequiresNewTransactionAndTheOuterOneContinues() {
        run(status -> {
            publish("outer");
            failing(REQUIRES_NEW, inner -> publish("inner"));
            publish("later");
        });

        assertDelivered("outer", "later");
    }

    // ---- where events cannot be stored ---------------------------------------------------------------------------

    @Test
    void needsATransaction() {
        assertThatThrownBy(() -> publish("A")).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> run(TransactionDefinition.PROPAGATION_SUPPORTS, status -> publish("A")))
                .isInstanceOf(NoTransactionException.class);

        assertDelivered();
    }

    @Test
    void needsATransactionThatIsNotSuspended() {
        run(status -> {
            publish("outer");
            assertThatThrownBy(() -> run(TransactionDefinition.PROPAGATION_NOT_SUPPORTED, none -> publish("A")))
                    .isInstanceOf(NoTransactionException.class);
        });

        assertDelivered("outer");
    }

    @Test
    void isRefusedByAReadOnlyTransaction() {
        TransactionTemplate readOnly = new TransactionTemplate(store.transactions());
        readOnly.setReadOnly(true);
        readOnly.setName("report");

        assertThatIllegalStateException()
                .isThrownBy(() -> readOnly.executeWithoutResult(status -> publish("A")))
                .withMessageContaining("transaction report is read-only");
        assertDelivered();
    }

    @Test
    void isRefusedOnceTheTransactionHasCommitted() {
        List<Throwable> refusals = new ArrayList<>();
        run(status -> {
            publish("A");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    refusals.add(catchThrowable(() -> publish("too late")));
                }

                @Override
                public void afterCompletion(int how) {
                    refusals.add(catchThrowable(() -> publish("far too late")));
                }
            });
        });

        assertThat(refusals.get(0)).hasMessageContaining("has committed already");
        assertThat(refusals.get(1)).isInstanceOf(NoTransactionException.class);
        assertDelivered("A");
    }

    // ---- callbacks -----------------------------------------------------------------------------------------------

    @Test
    void aFailingCallbackDoesNotMakeTheTransactionAppearToFail() {
        assertThatCode(() -> run(status -> {
                    write(1);
                    store.publishStore().afterCommit(() -> {
                        throw new Refused();
                    });
                    publish("A");
                }))
                .doesNotThrowAnyException();

        assertThat(store.business()).containsExactly("1");
        assertDelivered("A");
    }

    @Test
    void callsBackAfterRollbacks() {
        List<String> calls = new ArrayList<>();
        run(status -> {
            afterRollback(() -> calls.add("outer"));
            failing(REQUIRES_NEW, inner -> afterRollback(() -> calls.add("inner")));
        });
        assertThat(calls).containsExactly("inner");

        failing(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            afterRollback(() -> calls.add("another"));
            store.publishStore().afterCommit(() -> calls.add("never"));
        });
        assertThat(calls).containsExactly("inner", "another");
    }
}
