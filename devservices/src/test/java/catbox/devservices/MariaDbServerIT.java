package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MariaDbServerIT extends DatabaseServerContract {

    @Override
    DatabaseServer startServer() {
        return MariaDbServer.start();
    }

    @Override
    String durableQuery() {
        return "select @@innodb_flush_log_at_trx_commit = 1 and @@innodb_doublewrite <> 'OFF'";
    }

    @Test
    void keepsTextInUnicode() throws Exception {
        assertThat(sql(server.jdbcUrl()).number("select @@character_set_server = 'utf8mb4'"))
                .isEqualTo(1);
    }
}
