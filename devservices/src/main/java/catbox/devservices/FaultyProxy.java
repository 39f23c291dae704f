package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A TCP proxy on loopback between a client and a server. A test can make its network fail. */
public final class FaultyProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 8_192;

    private final int serverPort;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition open = lock.newCondition();
    private boolean swallowing; // guarded by the lock
    private volatile boolean closed;

    private FaultyProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** Creates a proxy to a server on this machine, which forwards everything. */
    public static FaultyProxy to(int serverPort) {
        try {
            FaultyProxy proxy = new FaultyProxy(serverPort);
            Thread.ofVirtual().name("faulty-proxy").start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Delivers nothing more in either direction, and closes no connection, as if packets were dropped. */
    public void swallow() {
        lock.lock();
        try {
            swallowing = true;
        } finally {
            lock.unlock();
        }
    }

    /** Forwards everything again, beginning with the bytes that were sent in the meantime. */
    public void pass() {
        lock.lock();
        try {
            swallowing = false;
            open.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Resets every open connection; new ones are accepted. */
    public void reset() {
        sockets.forEach(FaultyProxy::reset);
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listening.accept();
                sockets.add(client);
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                return; // The proxy was closed.
            }
        }
    }

    private void connect(Socket client) {
        try {
            awaitOpen();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            sockets.add(server);
            Thread.ofVirtual().start(() -> copy(client, server));
            copy(server, client);
        } catch (IOException e) {
            end(client);
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitOpen();
                out.write(buffer, 0, count);
                out.flush();
            }
            awaitOpen();
        } catch (IOException e) {
            // One side has closed, and the other one follows.
        } finally {
            end(from);
            end(to);
        }
    }

    private void awaitOpen() throws IOException {
        lock.lock();
        try {
            while (swallowing && !closed) {
                open.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        if (closed) {
            throw new IOException("the proxy is closed");
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private void end(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    @Override
    public void close() {
        closed = true;
        pass();
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            reset();
        }
    }
}
