package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.web.server.PortInUseException;

/** What comes first when the server starts. */
class StartIT {

    @TempDir
    Path folder;

    @Test
    void touchesNoDatabaseWhenItsPortIsTaken() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("port_taken");
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> TestServer.start(folder, yaml(url, other.getLocalPort())))
                    .isInstanceOfSatisfying(
                            PortInUseException.class,
                            taken -> assertThat(taken.getPort()).isEqualTo(other.getLocalPort()));
        }
        try (Connection connection = DriverManager.getConnection(url, postgres.user(), "");
                ResultSet tables = connection.getMetaData().getTables(null, "public", "%", new String[] {"TABLE"})) {
            assertThat(tables.next()).describedAs("there is a table").isFalse();
        }
    }

    private String yaml(String url, int port) {
        return """
                server: { port: %d, liveness-port: 0 }
                sources:
                  orders: { url: '%s', user: postgres, schema: install }
                destinations:
                  archive: { kind: file, path: %s }
                """.formatted(port, url, folder.resolve("out"));
    }
}
