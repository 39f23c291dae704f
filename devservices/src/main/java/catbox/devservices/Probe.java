package catbox.devservices;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.BooleanSupplier;

/**
 * Checks whether a server is ready for clients. An open port is not enough: some servers open theirs long before they
 * can serve clients. A hand-written handshake needs no client on the class path.
 */
record Probe(int port, Greeting greeting) implements BooleanSupplier {

    private static final int MILLIS_MAX = 2_000;

    /** The first messages between a client and a kind of server. */
    @FunctionalInterface
    interface Greeting {
        /** Returns whether the server answers as a ready one does. */
        boolean welcomes(DataInputStream in, DataOutputStream out) throws IOException;
    }

    @Override
    public boolean getAsBoolean() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(FreePort.loopback(), port), MILLIS_MAX);
            socket.setSoTimeout(MILLIS_MAX);
            return greeting.welcomes(
                    new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
        } catch (IOException notYet) {
            return false;
        }
    }
}
