package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The transport's tests check what clients see of it, because they have a client. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class RabbitMqServerIT {

    private static final byte[] HELLO = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private RabbitMqBroker server;

    @BeforeAll
    void start() {
        Optional<String> reason = RabbitMqServer.unavailableReason();
        reason.ifPresent(sentence -> System.err.println("!!! SKIPPED: all tests with RabbitMQ. " + sentence));
        Assumptions.assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
        server = RabbitMqServer.start();
    }

    @AfterAll
    void close() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void restartsOnItsPortAfterKillAndAfterStop() throws Exception {
        int port = server.port();
        assertThat(greets()).isTrue();

        server.kill();
        assertThatThrownBy(this::greets).isInstanceOf(IOException.class);
        server.start();
        assertThat(greets()).isTrue();
        server.stop();
        assertThatThrownBy(this::greets).isInstanceOf(IOException.class);
        server.start();

        assertThat(greets()).isTrue();
        assertThat(server.port()).isEqualTo(port);
    }

    @Test
    void answersNoRequestWhilePaused() throws Exception {
        server.pause();
        assertThatThrownBy(this::greets).isInstanceOf(IOException.class);

        server.resume();

        assertThat(greets()).isTrue();
    }

    @Test
    void takesTlsWithACertificateForItsAddress() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(server.trustStore())) {
            trusted.load(in, server.trustStorePassword().toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);

        try (Socket socket = context.getSocketFactory().createSocket(FreePort.loopback(), server.tlsPort())) {
            var parameters = ((SSLSocket) socket).getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            ((SSLSocket) socket).setSSLParameters(parameters);
            assertThat(greets(socket)).isTrue();
        }
    }

    @Test
    void leavesNoProcessBehindWhenItIsStoppedOrKilled() throws Exception {
        Path folder = server.trustStore().getParent().getParent();
        assertThat(inhabitants(folder)).hasSizeGreaterThan(2);

        server.stop();
        assertThat(ended(folder)).isTrue();
        server.start();
        server.kill();
        assertThat(ended(folder)).isTrue();
        server.start();
    }

    @Test
    void leavesNothingBehindWhenItIsClosed() throws Exception {
        RabbitMqBroker another = RabbitMqServer.start();
        Path folder = another.trustStore().getParent().getParent();

        another.close();

        assertThat(ended(folder)).isTrue();
        assertThat(folder).doesNotExist();
        assertThat(greets()).isTrue(); // It does not end the name service of another server either.
    }

    @Test
    void leavesNothingBehindWhenItsJvmIsKilled(@TempDir Path temporary) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrphaningRabbitMq.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).matches("\\d+");
            assertThat(inhabitants(temporary.toRealPath())).hasSizeGreaterThan(2);

            jvm.destroyForcibly().waitFor();

            assertThat(ended(temporary.toRealPath())).isTrue();
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Erlang's own helper processes notice its end a moment later. */
    private static boolean ended(Path folder) throws IOException {
        Deadline deadline = Deadline.in(Duration.ofSeconds(20));
        while (!inhabitants(folder).isEmpty() && !deadline.passed()) {
            deadline.rest();
        }
        return inhabitants(folder).isEmpty();
    }

    /** Returns the processes that work in the folder, including the name service. */
    private static List<String> inhabitants(Path folder) throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .filter(process -> worksIn(folder, process))
                    .map(process -> process.getFileName().toString())
                    .toList();
        }
    }

    private static boolean worksIn(Path folder, Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).toString().startsWith(folder.toString());
        } catch (IOException gone) {
            return false;
        }
    }

    private boolean greets() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(FreePort.loopback(), server.port()), 1_000);
            return greets(socket);
        }
    }

    private static boolean greets(Socket socket) throws IOException {
        socket.setSoTimeout(1_000);
        socket.getOutputStream().write(HELLO);
        return new DataInputStream(socket.getInputStream()).readByte() == 1;
    }
}
