package outbox.http;

import catbox.contract.TransportOutageContract;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import outbox.http.HttpFixture.Down;
import outbox.testkit.TransportFixture;

/** Checks that an outage of any kind and length costs no event an attempt. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HttpOutageIT {

    @Nested
    class NobodyListens implements TransportOutageContract {
        @Override
        public TransportFixture fixture() {
            return new HttpFixture(false, null);
        }
    }

    @Nested
    class TheServerIsBusy implements TransportOutageContract {
        @Override
        public TransportFixture fixture() {
            return new HttpFixture(false, null, Down.ANSWERS_503);
        }
    }

    @Nested
    class TheServerAsksForTime implements TransportOutageContract {
        @Override
        public TransportFixture fixture() {
            return new HttpFixture(true, null, Down.ANSWERS_503_WITH_RETRY_AFTER);
        }
    }
}
