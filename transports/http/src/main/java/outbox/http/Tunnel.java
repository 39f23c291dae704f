package outbox.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connects the HTTP client to checked addresses for TLS.
 *
 * <p>The JDK's client resolves names on its own, so a check before the request does not control where it connects: the
 * name may have another address by then. The client can use a proxy, though. Through a proxy it requests a tunnel by
 * name and speaks TLS with the far end, with the right server name and the usual certificate check. This class is that
 * proxy. It listens on the loopback interface, resolves the name, checks the addresses, and connects to one of the
 * checked addresses. It sees ciphertext only. It serves only its destination's host and port, so it adds no route that
 * the machine did not have.
 */
final class Tunnel implements Closeable {

    private static final int HEAD_BYTES_MAX = 8192;
    private static final long PAUSE_MILLIS = 50;

    private final AddressGuard guard;
    private final String host;
    private final int port;
    private final int connectMillis;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    /** Written by the tunnel's threads, read when the client reports that a tunnel failed. */
    private volatile @Nullable IOException lastFailure;

    private volatile boolean closed;
    private final CountDownLatch ended = new CountDownLatch(1);

    Tunnel(AddressGuard guard, String host, int port, Duration connectTimeout) throws IOException {
        this.guard = guard;
        this.host = host;
        this.port = port;
        this.connectMillis = (int) Math.min(Integer.MAX_VALUE, connectTimeout.toMillis());
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("outbox-http-tunnel").start(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
    }

    /** Returns why the last tunnel could not be opened. */
    @Nullable
    IOException lastFailure() {
        return lastFailure;
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listening.accept();
                track(client);
                Thread.ofVirtual().name("outbox-http-tunnel").start(() -> serve(client));
            } catch (IOException e) {
                pause(); // Closed, or out of file descriptors. Trying again at once would only burn CPU.
            }
        }
    }

    private void pause() {
        try {
            ended.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void track(Socket socket) {
        open.add(socket);
        // Otherwise small TLS records would wait for each other's acknowledgement.
        quietly(() -> socket.setTcpNoDelay(true));
        if (closed) {
            end(socket);
        }
    }

    private void serve(Socket client) {
        try {
            String[] request = firstLine(client.getInputStream()).split(" ", -1);
            if (request.length != 3 || !request[0].equals("CONNECT") || !request[1].equalsIgnoreCase(authority())) {
                answer(client, "403 Forbidden");
                return;
            }
            Socket server = connect();
            track(server);
            try {
                answer(client, "200 Connected");
                Thread back = Thread.ofVirtual().name("outbox-http-tunnel").start(() -> copy(server, client));
                copy(client, server);
                end(server); // A client that has ended its half does not wait for more.
                back.join();
            } finally {
                end(server);
            }
        } catch (IOException e) {
            lastFailure = e;
            quietly(() -> answer(client, "502 Bad Gateway"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(client);
        }
    }

    private String authority() {
        return host + ":" + port;
    }

    private Socket connect() throws IOException {
        IOException failure = new UnknownHostException(host);
        for (InetAddress address : guard.addresses(host)) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), connectMillis);
                return socket;
            } catch (IOException e) {
                socket.close();
                failure = e instanceof SocketTimeoutException
                        ? new HttpConnectTimeoutException(String.valueOf(e.getMessage()))
                        : e;
            }
        }
        throw failure;
    }

    // ---- bytes -----------------------------------------------------------------------------------------------------

    /** Returns the first line of a request, after reading to the end of its head. */
    private static String firstLine(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0 || head.length() == HEAD_BYTES_MAX) {
                throw new IOException("the request for a tunnel ended early");
            }
            head.append((char) next);
        }
        return head.substring(0, head.indexOf("\r\n"));
    }

    private static void answer(Socket client, String status) throws IOException {
        client.getOutputStream()
                .write(("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Copies until one side ends, and then ends the other side's half too. */
    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
            to.shutdownOutput();
        } catch (IOException e) {
            quietly(from::close);
            quietly(to::close);
        }
    }

    private void end(Socket socket) {
        open.remove(socket);
        quietly(socket::close);
    }

    /** An action that may fail because the peer has gone. */
    @FunctionalInterface
    private interface PeerAction {
        void run() throws IOException;
    }

    private static void quietly(PeerAction action) {
        try {
            action.run();
        } catch (IOException e) {
            // The peer has gone already.
        }
    }

    @Override
    public void close() {
        closed = true;
        ended.countDown();
        quietly(listening::close);
        open.forEach(this::end);
    }
}
