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

/** What a published event shares of its transaction's fate, whichever transaction manager began it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TransactionContract {

    private static final int REQUIRES_NEW = TransactionDefinition.PROPAGATION_REQUIRES_NEW;

    private Place place;
    private Handed handed;
    private OutboxClient client;

    /** A store with a transaction manager, and something of the business beside it. */
    interface Place extends AutoCloseable {

        PlatformTransactionManager transactions();

        PublishStore publishStore();

        void afterRollback(Runnable callback);

        /** Writes something of the business, the way that goes with the transaction manager. */
        void write(long id);

        /** What was written of the business, in the order of its ids. */
        List<String> business();

        /** The types of the stored events, in the order in which they were stored. */
        List<String> stored();

        void empty();

        @Override
        void close();
    }

    abstract Place openPlace();

    @BeforeAll
    void open() {
        place = openPlace();
    }

    @AfterAll
    void close() {
        if (place != null) {
            place.close();
        }
    }

    @BeforeEach
    void begin() {
        place.empty();
        handed = new Handed();
        client = new OutboxClient(place.publishStore(), handed);
    }

    void write(long id) {
        place.write(id);
    }

    void afterRollback(Runnable callback) {
        place.afterRollback(callback);
    }

    void publish(String type) {
        client.publish(EventEnvelope.ofJson(type, "{}"));
    }

    void run(Consumer<TransactionStatus> work) {
        run(TransactionDefinition.PROPAGATION_REQUIRED, work);
    }

    void run(int propagation, Consumer<TransactionStatus> work) {
        TransactionTemplate template = new TransactionTemplate(place.transactions());
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
        assertThat(place.stored()).containsExactly(types);
        assertHandedOver(types);
    }

    void assertHandedOver(String... types) {
        assertThat(handed.types).containsExactly(types);
    }

    // ---- one transaction -----------------------------------------------------------------------------------------

    @Test
    void isStoredWithTheBusinessRowAndHandedOverAfterCommit() {
        run(status -> {
            write(1);
            publish("A");
            publish("B");
            assertThat(handed.types).isEmpty();
        });

        assertThat(place.business()).containsExactly("1");
        assertDelivered("A", "B");
    }

    @Test
    void isGoneWithItsTransaction() {
        failing(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            write(1);
            publish("A");
        });

        assertThat(place.business()).isEmpty();
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
            assertThat(handed.types).isEmpty();
            publish("B");
        });

        assertDelivered("A", "B");
    }

    // ---- transactions within transactions ------------------------------------------------------------------------

    @Test
    void sharesTheFateOfATransactionOfItsOwn() {
        failing(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            publish("outer");
            run(REQUIRES_NEW, inner -> publish("inner"));
            assertThat(handed.types).containsExactly("inner");
        });

        assertDelivered("inner");
    }

    @Test
    void isGoneWithATransactionOfItsOwnAndTheOuterOneGoesOn() {
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
        TransactionTemplate readOnly = new TransactionTemplate(place.transactions());
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
    void aCallbackThatFailsDoesNotLookLikeAFailedTransaction() {
        assertThatCode(() -> run(status -> {
                    write(1);
                    place.publishStore().afterCommit(() -> {
                        throw new Refused();
                    });
                    publish("A");
                }))
                .doesNotThrowAnyException();

        assertThat(place.business()).containsExactly("1");
        assertDelivered("A");
    }

    @Test
    void tellsOfRollbacks() {
        List<String> told = new ArrayList<>();
        run(status -> {
            afterRollback(() -> told.add("outer"));
            failing(REQUIRES_NEW, inner -> afterRollback(() -> told.add("inner")));
        });
        assertThat(told).containsExactly("inner");

        failing(TransactionDefinition.PROPAGATION_REQUIRED, status -> {
            afterRollback(() -> told.add("another"));
            place.publishStore().afterCommit(() -> told.add("never"));
        });
        assertThat(told).containsExactly("inner", "another");
    }
}
