package outbox.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Forwards connections from an address that the broker's certificate does not contain. */
final class TlsProxy implements AutoCloseable {

    static final String ADDRESS = "127.0.0.2";

    private final ServerSocket server;
    private final int target;

    TlsProxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 10, InetAddress.getByName(ADDRESS));
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket broker = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), target);
                Thread.startVirtualThread(() -> pass(client, broker));
                Thread.startVirtualThread(() -> pass(broker, client));
            }
        } catch (IOException closed) {
            // The proxy was closed.
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException gone) {
            // One side has closed, and the other one follows.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
