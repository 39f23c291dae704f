package catbox.devservices;

import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

final class MySqlServerIT extends DatabaseServerContract {

    @Override
    DatabaseServer startServer() {
        Optional<String> reason = MySqlServer.unavailableReason();
        reason.ifPresent(sentence -> System.err.println("!!! SKIPPED: all tests with MySQL. " + sentence));
        Assumptions.assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
        return MySqlServer.start();
    }

    @Override
    String durableQuery() {
        return "select @@innodb_flush_log_at_trx_commit = 1 and @@sync_binlog = 1";
    }
}
