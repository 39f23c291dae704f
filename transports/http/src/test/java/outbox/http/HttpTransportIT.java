package outbox.http;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;
import outbox.testkit.TransportContract;
import outbox.testkit.TransportFixture;
import outbox.testkit.TransportUnavailableContract;

class HttpTransportIT {

    @TempDir
    static Path folder;

    private static TestTls tls;

    @BeforeAll
    static void makeCertificate() throws Exception {
        tls = new TestTls(folder, "dns:" + HttpFixture.TLS_HOST);
    }

    interface WholeContract extends TransportContract, TransportUnavailableContract {}

    @Nested
    class InBatches implements WholeContract {
        @Override
        public TransportFixture fixture() {
            return new HttpFixture(false, null);
        }
    }

    @Nested
    class OneByOne implements WholeContract {
        @Override
        public TransportFixture fixture() {
            return new HttpFixture(true, null);
        }
    }

    /** Uses TLS to a checked address, through the tunnel. */
    @Nested
    class InBatchesThroughTheTunnel implements WholeContract {
        @Override
        public TransportFixture fixture() {
            return new HttpFixture(false, tls);
        }
    }
}
