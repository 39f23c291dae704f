package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class ProgramServerIT {

    private final HttpClient client = HttpClient.newHttpClient();

    /** A program that prints its process id and its session. */
    static final class Greeter {

        public static void main(String[] arguments) throws IOException {
            HttpServer server =
                    HttpServer.create(new InetSocketAddress(FreePort.loopback(), Integer.parseInt(arguments[0])), 0);
            server.createContext("/who", exchange -> {
                byte[] answer = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            server.start();
        }
    }

    @Test
    void restartsAKilledProgramAndEndsItWhenClosed() throws Exception {
        int port = ProgramServer.freePort();
        long second;
        try (DevServer server = ProgramServer.start("greeter", greeter(port), Map.of(), port, "/who")) {
            long first = who(port);
            server.kill();
            assertThat(ProcessHandle.of(first).filter(ProcessHandle::isAlive)).isEmpty();

            server.start();
            second = who(port);
            assertThat(second).isNotEqualTo(first);
            assertThat(server.port()).isEqualTo(port);
        }
        assertThat(ProcessHandle.of(second).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void keepsACtrlCInTheTerminalFromTheProgram() throws Exception {
        int port = ProgramServer.freePort();
        try (DevServer server = ProgramServer.start("greeter", greeter(port), Map.of(), port, "/who")) {
            long pid = who(port);
            // The fifth field of the kernel's line is the process group, to which a terminal sends its signals.
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String group = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 4)[2];
            assertThat(group).isEqualTo(Long.toString(pid));
            assertThat(server.port()).isEqualTo(port);
        }
    }

    @Test
    void reportsWhyAProgramDidNotStart() {
        assertThatThrownBy(() -> ProgramServer.start(
                        "broken",
                        List.of("sh", "-c", "cat why; exit 3"),
                        Map.of("why", "no such luck"),
                        FreePort.find(),
                        "/"))
                .isInstanceOf(DevServerException.class)
                .hasMessageContaining("broken")
                .hasMessageContaining("no such luck");
    }

    @Test
    void takesAnotherPortWhenThePreferredOneIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, FreePort.loopback())) {
            assertThatThrownBy(() ->
                            ProgramServer.start("late", List.of("sleep", "60"), Map.of(), taken.getLocalPort(), "/"))
                    .hasMessage("Port " + taken.getLocalPort() + " of late is taken");
            assertThat(ProgramServer.freePort(taken.getLocalPort()))
                    .isNotEqualTo(taken.getLocalPort())
                    .isPositive();
        }
        int free = FreePort.find();
        assertThat(ProgramServer.freePort(free)).isEqualTo(free);
    }

    private static List<String> greeter(int port) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Greeter.class.getName(),
                Integer.toString(port));
    }

    private long who(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/who"))
                .build();
        return Long.parseLong(
                client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
}
