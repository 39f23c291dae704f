package catbox.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Many clients that announce a body and send it byte by byte, and begin anew when they are cut off. */
final class SlowClients implements AutoCloseable {

    private static final int PAUSE_MILLIS = 500;

    private final InetSocketAddress address;
    private final List<byte[]> requests;
    private final List<SocketChannel> channels = new ArrayList<>(); // of the thread alone, once it runs
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicLong cutOff = new AtomicLong();
    private final Thread thread = new Thread(this::send, "slow-clients");

    /** Opens so many, shared evenly between the requests, such as {@code POST /login}. */
    SlowClients(URI server, int count, List<String> requests) throws IOException {
        this.address = new InetSocketAddress(server.getHost(), server.getPort());
        this.requests = requests.stream().map(SlowClients::head).toList();
        for (int n = 0; n < count; n++) {
            channels.add(open(n));
        }
        thread.start();
    }

    private static byte[] head(String request) {
        return (request
                        + " HTTP/1.1\r\nHost: catbox\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: 60000\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private SocketChannel open(int n) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.write(ByteBuffer.wrap(requests.get(n % requests.size())));
        channel.configureBlocking(false);
        return channel;
    }

    private void send() {
        try {
            while (!stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                for (int n = 0; n < channels.size(); n++) {
                    sendOne(n);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendOne(int n) throws IOException {
        SocketChannel channel = channels.get(n);
        try {
            if (channel.read(ByteBuffer.allocate(4096)) >= 0) {
                channel.write(ByteBuffer.wrap(new byte[] {'a'}));
                return;
            }
        } catch (IOException e) {
            // Cut off in the middle of a byte.
        }
        channel.close();
        cutOff.incrementAndGet();
        channels.set(n, open(n));
    }

    /** How many connections the server has ended. */
    long cutOff() {
        return cutOff.get();
    }

    @Override
    public void close() throws IOException {
        stopped.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
