package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;

/** The JDBC transaction manager also has nested transactions; Hibernate's JPA has none. */
class JdbcTransactionIT extends TransactionContract {

    private static final int NESTED = TransactionDefinition.PROPAGATION_NESTED;

    @Override
    TestStore openStore() {
        TestDatabase database = new TestDatabase();
        JdbcTemplate jdbc = new JdbcTemplate(database.dataSource);
        return new TableStore(
                database,
                new JdbcTransactionManager(database.dataSource),
                id -> jdbc.update("INSERT INTO business (id) VALUES (?)", id),
                () -> {});
    }

    @Test
    void isGoneWithItsNestedTransaction() {
        run(status -> {
            publish("outer");
            failing(NESTED, nested -> publish("nested"));
            publish("later");
        });

        assertDelivered("outer", "later");
    }

    @Test
    void isGoneWithItsNestedTransactionAlsoWhenNothingWasPublishedBefore() {
        run(status -> {
            failing(NESTED, nested -> publish("nested"));
            publish("later");
        });

        assertDelivered("later");
    }

    @Test
    void isGoneWithTheOuterOfTwoNestedTransactions() {
        run(status -> {
            publish("outer");
            failing(NESTED, nested -> {
                publish("nested");
                run(NESTED, innermost -> publish("innermost"));
            });
        });

        assertDelivered("outer");
    }

    @Test
    void isKeptWhenANestedTransactionEnds() {
        run(status -> {
            publish("outer");
            run(NESTED, nested -> {
                publish("nested");
                failing(NESTED, innermost -> publish("innermost"));
            });
        });

        assertDelivered("outer", "nested");
    }

    @Test
    void isGoneWhenTheApplicationsOwnSavepointIsRolledBack() {
        run(status -> {
            publish("before");
            Object savepoint = status.createSavepoint();
            publish("after");
            status.rollbackToSavepoint(savepoint);
            publish("again");
            status.rollbackToSavepoint(savepoint);
        });

        assertDelivered("before");
    }

    @Test
    void callsBackAfterTheRollbackOfANestedTransaction() {
        List<String> calls = new ArrayList<>();
        run(status -> {
            afterRollback(() -> calls.add("outer"));
            failing(NESTED, nested -> afterRollback(() -> calls.add("nested")));
        });

        assertThat(calls).containsExactly("nested");
    }
}
