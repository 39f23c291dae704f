package outbox.mongodb.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.OutboxException;

class MongoFailureTest {

    /** What the server answers when a session is killed: to a statement, and to the commit. */
    @ParameterizedTest
    @CsvSource({
        "11601, operation was interrupted, true",
        "251, Transaction with { txnNumber: 14 } has been aborted., true",
        "112, write conflict, false"
    })
    void recognisesATransactionThatAnotherSessionHasEnded(int code, String message, boolean ended) {
        BsonDocument answer = BsonDocument.parse("{ok: 0, code: " + code + ", errmsg: '" + message + "'}");
        OutboxException failure =
                MongoFailure.of("settle events", new MongoCommandException(answer, new ServerAddress()));

        assertThat(MongoFailure.wasEnded(failure)).isEqualTo(ended);
    }
}
