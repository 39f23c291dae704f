package catbox.devservices;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a port for a server below the kernel's range for clients. A port of that range is not safe while its server is
 * down: any client may be given it. A client that keeps connecting to it may even connect to itself, so that the server
 * could not return.
 */
final class FreePort {

    private static final Path CLIENT_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 10_000;
    private static final int ROOM_MIN = 1_000;
    private static final int TRIES = 100;

    private FreePort() {}

    static int find() {
        int end = clientRangeStart();
        for (int i = 0; i < TRIES && end - LOWEST >= ROOM_MIN; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, end);
            if (isFree(port)) {
                return port;
            }
        }
        return anyPort();
    }

    static int clientRangeStart() {
        try (Scanner range = new Scanner(CLIENT_RANGE, StandardCharsets.US_ASCII)) {
            return range.nextInt();
        } catch (IOException e) {
            throw new DevServerException("Cannot read " + CLIENT_RANGE, e);
        }
    }

    /** Given as bytes: no name lookup, and never the loopback of IPv6. */
    static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = listen(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** For a machine that gives nearly all ports to clients, a port with a small risk is better than none. */
    private static int anyPort() {
        try (ServerSocket socket = listen(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new DevServerException("No free port on 127.0.0.1", e);
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, loopback());
    }
}
