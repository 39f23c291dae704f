package outbox.rabbitmq;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Proxies the broker, and counts connections and channels by the frames that pass. It can spoil messages of one type so
 * that the broker ends their channel for a reason that names none.
 */
final class ChannelCount implements AutoCloseable {

    private static final int PREAMBLE_BYTES = 8;
    private static final int METHOD_FRAME = 1;
    private static final int HEADER_FRAME = 2;
    private static final int FLAGS_AT = 12;

    /** Changes the property "type" to the property "user-id", whose value the broker checks. */
    private static final int TYPE_OR_USER_ID = 0x0030;

    private static final int CHANNEL_CLASS = 20;
    private static final int OPEN = 10;
    private static final int CLOSE_OK = 41;

    private final ServerSocket listening;
    private final int brokerPort;
    private final @Nullable String spoiledType;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    ChannelCount(int brokerPort) throws IOException {
        this(brokerPort, null);
    }

    ChannelCount(int brokerPort, @Nullable String spoiledType) throws IOException {
        this.brokerPort = brokerPort;
        this.spoiledType = spoiledType;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    /** Returns how many channels were opened. */
    int opened() {
        return opened.get();
    }

    /** Returns how many channels are open. */
    int open() {
        return opened.get() - closed.get();
    }

    private void accept() {
        while (true) {
            try {
                Socket client = listening.accept();
                connections.incrementAndGet();
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
                client.setTcpNoDelay(true); // Small frames would otherwise wait for each other's acknowledgement.
                broker.setTcpNoDelay(true);
                sockets.addAll(List.of(client, broker));
                Thread.ofVirtual().start(() -> pass(client, broker, PREAMBLE_BYTES));
                Thread.ofVirtual().start(() -> pass(broker, client, 0));
            } catch (IOException e) {
                return; // Closed.
            }
        }
    }

    private void pass(Socket from, Socket to, int preamble) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to.getOutputStream()));
            out.write(in.readNBytes(preamble));
            out.flush();
            while (true) {
                int type = in.readUnsignedByte();
                byte[] head = in.readNBytes(6);
                byte[] rest = in.readNBytes(ByteBuffer.wrap(head).getInt(2) + 1);
                count(type, rest);
                spoil(type, rest);
                out.writeByte(type);
                out.write(head);
                out.write(rest);
                out.flush();
            }
        } catch (IOException e) {
            // One side has closed, and the other one follows.
        }
    }

    private void spoil(int type, byte[] rest) {
        if (type == HEADER_FRAME
                && spoiledType != null
                && new String(rest, StandardCharsets.ISO_8859_1).contains(spoiledType)) {
            ByteBuffer frame = ByteBuffer.wrap(rest);
            frame.putShort(FLAGS_AT, (short) (frame.getShort(FLAGS_AT) ^ TYPE_OR_USER_ID));
        }
    }

    private void count(int type, byte[] rest) {
        if (type == METHOD_FRAME && ByteBuffer.wrap(rest).getShort(0) == CHANNEL_CLASS) {
            int method = ByteBuffer.wrap(rest).getShort(2);
            opened.addAndGet(method == OPEN ? 1 : 0);
            closed.addAndGet(method == CLOSE_OK ? 1 : 0);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
