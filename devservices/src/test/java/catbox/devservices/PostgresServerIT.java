package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PostgresServerIT extends DatabaseServerContract {

    @Override
    DatabaseServer startServer() {
        return PostgresServer.start();
    }

    @Override
    String durableQuery() {
        return "select count(*) from pg_settings a join pg_settings b on a.name = 'fsync' and a.setting = 'on'"
                + " and b.name = 'synchronous_commit' and b.setting = 'on'";
    }

    @Test
    void isReadyForChangeDataCaptureAndAHundredClients() throws Exception {
        assertThat(sql(server.jdbcUrl())
                        .number("select count(*) from pg_settings where name = 'wal_level'"
                                + " and setting = 'logical'"))
                .isEqualTo(1);
        assertThat(sql(server.jdbcUrl()).number("select current_setting('max_connections')::int"))
                .isEqualTo(100);
    }

    @Test
    void takesFurtherSettings() throws Exception {
        try (DatabaseServer small = PostgresServer.start(Map.of("max_connections", "17"))) {
            assertThat(new Sql(small, small.jdbcUrl()).number("select current_setting('max_connections')::int"))
                    .isEqualTo(17);
        }
    }

    @Test
    void showsTheServersLogWhenItDoesNotStart() {
        assertThatThrownBy(() -> PostgresServer.start(Map.of("no_such_setting", "1")))
                .isInstanceOf(DevServerException.class)
                .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }
}
