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
 * Connects the HTTP client to addresses that were checked, for TLS.
 *
 * <p>The JDK's client looks names up by itself, so a check before the request says nothing about where it connects: the
 * name may have another address by then. The client can be told to go through a proxy, though, and through a proxy it
 * asks for a tunnel by name and talks TLS to the far end, with the right server name and the usual check of the
 * certificate. This is that proxy: it listens on the loopback interface, looks the name up, checks the addresses, and
 * connects to one of the very addresses that it has checked. It sees ciphertext only. It serves one host and port, those
 * of its destination, so it opens no way that its machine did not have.
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

    /** Why a tunnel could not be made, the last time. */
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
                pause(); // Closed, or out of file descriptors: then trying at once would only burn time.
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
        quietly(() -> socket.setTcpNoDelay(true)); // Small records would otherwise wait for each other's receipt.
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
                end(server); // A client that has ended its half waits for nothing more.
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

    /** The first line of a request, after reading to the end of its head. */
    private static String firstLine(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0 || head.length() == HEAD_BYTES_MAX) {
                throw new IOException("the request for a tunnel was cut short");
            }
            head.append((char) next);
        }
        return head.substring(0, head.indexOf("\r\n"));
    }

    private static void answer(Socket client, String status) throws IOException {
        client.getOutputStream()
                .write(("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Copies until one side ends, and then ends the other one's half too. */
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

    /** Something that may fail because the other side has gone. */
    @FunctionalInterface
    private interface Parting {
        void run() throws IOException;
    }

    private static void quietly(Parting parting) {
        try {
            parting.run();
        } catch (IOException e) {
            // It has gone already.
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
