package catbox.devservices;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.BooleanSupplier;

/**
 * Asks a server whether it is ready for clients. An open port alone would not do: some open theirs long before they can
 * serve anybody. A few bytes by hand need no client on the class path.
 */
record Probe(int port, Greeting greeting) implements BooleanSupplier {

    private static final int MILLIS_MAX = 2_000;

    /** The first words between a client and a server of some kind. */
    @FunctionalInterface
    interface Greeting {
        /** Whether the server answers as one that is ready does. */
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
