package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.model.Outcome;
import outbox.spi.TimeSource;

/**
 * Checks that the client connects to the address that was checked. Only the test's resolver knows these names, so a
 * request that arrives has used the address that the resolver gave.
 */
class GuardedClientIT {

    private static final String HOST = "api.outbox.invalid";

    @TempDir
    static Path folder;

    private static TestTls rightName;
    private static TestTls wrongName;

    private final AtomicInteger lookups = new AtomicInteger();
    private final Deque<String> answers = new ArrayDeque<>();
    private TestApi api = new TestApi();

    @BeforeAll
    static void makeCertificates() throws Exception {
        rightName = new TestTls(folder, "dns:" + HOST);
        wrongName = new TestTls(folder, "dns:other.outbox.invalid");
    }

    @AfterEach
    void closeApi() {
        api.close();
    }

    /** Returns the answers one after another, and repeats the last. */
    private synchronized InetAddress[] resolve(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        assertThat(host).isEqualTo(HOST);
        String answer = answers.size() > 1 ? answers.remove() : answers.element();
        String[] literals = answer.split(" ", -1);
        InetAddress[] addresses = new InetAddress[literals.length];
        for (int n = 0; n < literals.length; n++) {
            addresses[n] = InetAddress.getByAddress(
                    host, InetAddress.getByName(literals[n]).getAddress());
        }
        return addresses;
    }

    private HttpDestination destination(SSLContext tls, String... more) {
        String[] all = new String[more.length + 2];
        all[0] = "base-url";
        all[1] = (tls == null ? "http://" : "https://") + HOST + ":" + api.port();
        System.arraycopy(more, 0, all, 2, more.length);
        HttpContext context = new HttpContext(TimeSource.SYSTEM, this::resolve, tls);
        return new HttpDestination("test", HttpConfig.from(Attempts.settings(all)), context);
    }

    // ---- plain -----------------------------------------------------------------------------------------------------

    @Test
    void connectsToTheCheckedAddress() throws Exception {
        answers.add("127.0.0.1");
        try (HttpDestination destination = destination(null, "allowed-networks", "127.0.0.0/8")) {
            assertThat(Attempts.kinds(Attempts.of(destination, Attempts.numbers(2))))
                    .containsOnly("Delivered");

            TestApi.Request request = api.seen().get(0);
            assertThat(request.header("host")).isEqualTo(HOST + ":" + api.port());
            assertThat(request.path()).endsWith("/api/events/batch");
        }
    }

    @Test
    void refusesAPrivateAddressUnlessItIsAllowed() throws Exception {
        answers.add("127.0.0.1");
        try (HttpDestination destination = destination(null)) {
            assertThat(Attempts.error(Attempts.of(destination, Attempts.json("1"))))
                    .contains("127.0.0.1", HOST, "refused", "allowed-networks");
            assertThat(api.seen()).isEmpty();
        }
    }

    @Test
    void refusesAHostWithOneBadAddressAmongGoodOnes() throws Exception {
        answers.add("127.0.0.1 10.0.0.1");
        try (HttpDestination destination = destination(null, "allowed-networks", "127.0.0.0/8")) {
            assertThat(Attempts.error(Attempts.of(destination, Attempts.json("1"))))
                    .contains("10.0.0.1");
            assertThat(api.seen()).isEmpty();
        }
    }

    @Test
    void aNameThatChangesItsAddressIsCheckedAgain() throws Exception {
        answers.add("127.0.0.1");
        answers.add("169.254.169.254");
        try (HttpDestination destination = destination(null, "allowed-networks", "127.0.0.0/8")) {
            assertThat(Attempts.of(destination, Attempts.json("1"))).isInstanceOf(Outcome.Delivered.class);
            assertThat(Attempts.error(Attempts.of(destination, Attempts.json("2"))))
                    .contains("169.254.169.254");
            assertThat(api.seen()).hasSize(1);
            assertThat(lookups).hasValue(2); // One for each request: the checked address is used at once.
        }
    }

    @Test
    void literalAddressesAreCheckedToo() throws Exception {
        for (String literal : List.of("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "0x7f.1")) {
            String url = "http://" + literal + ":" + api.port();
            HttpConfig config;
            try {
                config = HttpConfig.from(Attempts.settings("base-url", url));
            } catch (IllegalArgumentException e) {
                continue; // Not a valid URL.
            }
            try (HttpDestination destination = new HttpDestination("test", config)) {
                assertThat(Attempts.kind(Attempts.of(destination, Attempts.json("1"))))
                        .isEqualTo("DESTINATION");
            }
        }
        assertThat(api.seen()).isEmpty();
    }

    @Test
    void configuredHostsNeedNoCheck() throws Exception {
        HttpConfig config =
                HttpConfig.from(Attempts.settings("base-url", api.url(), "allowed-hosts", "other, 127.0.0.1"));
        try (HttpDestination destination = new HttpDestination("test", config)) {
            assertThat(Attempts.of(destination, Attempts.json("1"))).isInstanceOf(Outcome.Delivered.class);
            assertThat(api.seen().get(0).path()).isEqualTo("/api/events/batch");
        }
    }

    // ---- TLS -------------------------------------------------------------------------------------------------------

    private void serve(TestTls tls) throws Exception {
        api.close();
        api = new TestApi(tls.server());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1", "2"})
    void tlsGoesToTheCheckedAddressUnderTheRightName(String version) throws Exception {
        serve(rightName);
        answers.add("127.0.0.1");
        try (HttpDestination destination = destination(
                rightName.client(), "allowed-networks", "127.0.0.0/8", "http-version", version, "token", "t0ken")) {
            assertThat(Attempts.kinds(Attempts.of(destination, Attempts.numbers(2))))
                    .containsOnly("Delivered");
            assertThat(Attempts.of(destination, Attempts.json("2"))).isInstanceOf(Outcome.Delivered.class);

            TestApi.Request request = api.seen().get(0);
            assertThat(request.header("host")).isEqualTo(HOST + ":" + api.port());
            assertThat(request.path()).isEqualTo("/api/events/batch");
            assertThat(request.header("authorization")).isEqualTo("Bearer t0ken");
            assertThat(request.text()).isEqualTo("[1,2]");
        }
    }

    @Test
    void tlsOfAnotherNameIsRefused() throws Exception {
        serve(wrongName);
        answers.add("127.0.0.1");
        try (HttpDestination destination = destination(wrongName.client(), "allowed-networks", "127.0.0.0/8")) {
            assertThat(Attempts.error(Attempts.of(destination, Attempts.json("1"))))
                    .contains("TLS failed", HOST);
            assertThat(api.seen()).isEmpty();
        }
    }

    @Test
    void tlsOfAnUnknownAuthorityIsRefused() throws Exception {
        serve(rightName);
        answers.add("127.0.0.1");
        try (HttpDestination destination = destination(wrongName.client(), "allowed-networks", "127.0.0.0/8")) {
            assertThat(Attempts.error(Attempts.of(destination, Attempts.json("1"))))
                    .contains("TLS failed");
            assertThat(api.seen()).isEmpty();
        }
    }

    @Test
    void tlsToAPrivateAddressIsRefusedBeforeItBegins() throws Exception {
        serve(rightName);
        answers.add("127.0.0.1");
        try (HttpDestination destination = destination(rightName.client())) {
            assertThat(Attempts.error(Attempts.of(destination, Attempts.json("1"))))
                    .contains("127.0.0.1", HOST, "refused", "allowed-networks");
            assertThat(api.seen()).isEmpty();
        }
    }

    @Test
    void tlsReportsARefusedConnection() throws Exception {
        serve(rightName);
        answers.add("127.0.0.1");
        try (HttpDestination destination = destination(rightName.client(), "allowed-networks", "127.0.0.0/8")) {
            api.stop();
            assertThat(Attempts.error(Attempts.of(destination, Attempts.json("1"))))
                    .contains("the connection was refused");
            api.start();
        }
    }

    @Test
    void tlsWithoutChecksNeedsNoTunnel() throws Exception {
        TestTls local = new TestTls(folder, "ip:127.0.0.1");
        serve(local);
        HttpConfig config =
                HttpConfig.from(Attempts.settings("base-url", api.url(), "allow-private-addresses", "true"));
        HttpContext context = new HttpContext(TimeSource.SYSTEM, this::resolve, local.client());
        try (HttpDestination destination = new HttpDestination("test", config, context)) {
            assertThat(Attempts.of(destination, Attempts.json("1"))).isInstanceOf(Outcome.Delivered.class);
            assertThat(lookups).hasValue(0);
        }
    }

    // ---- the tunnel itself -----------------------------------------------------------------------------------------

    @Test
    void tunnelServesOnlyItsOwnHost() throws Exception {
        answers.add("127.0.0.1");
        AddressGuard guard = new AddressGuard(new AddressRules(true, Set.of(), List.of()), this::resolve);
        try (Tunnel tunnel = new Tunnel(guard, HOST, api.port(), Duration.ofSeconds(5))) {
            for (String request : List.of(
                    "CONNECT 127.0.0.1:" + api.port() + " HTTP/1.1",
                    "CONNECT " + HOST + ":1 HTTP/1.1",
                    "GET http://" + HOST + ":" + api.port() + "/ HTTP/1.1",
                    "nonsense")) {
                assertThat(ask(tunnel.address(), request)).startsWith("HTTP/1.1 403");
            }
            assertThat(ask(tunnel.address(), "CONNECT " + HOST + ":" + api.port() + " HTTP/1.1"))
                    .startsWith("HTTP/1.1 200");
        }
    }

    private static String ask(InetSocketAddress address, String request) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write((request + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(12);
            return new String(answer, StandardCharsets.US_ASCII);
        }
    }

    @Test
    void tunnelEndsWithItsDestination() throws Exception {
        answers.add("127.0.0.1");
        AddressGuard guard = new AddressGuard(new AddressRules(true, Set.of(), List.of()), this::resolve);
        Tunnel tunnel = new Tunnel(guard, HOST, api.port(), Duration.ofSeconds(5));
        InetSocketAddress address = tunnel.address();
        try (Socket open = new Socket(address.getAddress(), address.getPort())) {
            open.setSoTimeout(10_000);
            String request = "CONNECT " + HOST + ":" + api.port() + " HTTP/1.1\r\n\r\n";
            open.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(open.getInputStream().readNBytes(12)).endsWith('2', '0', '0');
            tunnel.close();

            assertThat(endOf(open)).isTrue();
            assertThat(refusesSoon(address)).isTrue();
        }
    }

    private static boolean endOf(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (IOException e) {
            return e.getMessage() != null && e.getMessage().contains("reset");
        }
    }

    /** The port is free when the thread that waits for connections has noticed. */
    private static boolean refusesSoon(InetSocketAddress address) {
        long start = TimeSource.SYSTEM.nanoTime();
        while (TimeSource.SYSTEM.nanoTime() - start < 10_000_000_000L) {
            try (Socket socket = new Socket()) {
                socket.connect(address, 5_000);
            } catch (IOException e) {
                return true;
            }
        }
        return false;
    }
}
