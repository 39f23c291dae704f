package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class FreePortTest {

    @Test
    void staysBelowTheClientsPortRange() {
        assertThat(FreePort.find()).isBetween(10_000, FreePort.clientRangeStart() - 1);
    }

    @Test
    void findsAnUsablePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(FreePort.find(), 1, FreePort.loopback())) {
            assertThat(socket.isBound()).isTrue();
        }
    }
}
