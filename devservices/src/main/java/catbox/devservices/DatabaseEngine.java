package catbox.devservices;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Differences between the families of databases at run time: their handshake, their signals and their quotes. */
enum DatabaseEngine implements Probe.Greeting {
    /**
     * PostgreSQL answers only after a client's hello, and with an error while it still recovers. SIGINT is its fast and
     * orderly shutdown. Its hard end is SIGQUIT: for the data it is like a crash, but it releases the small piece of
     * shared memory that marks its data folder as in use. A killed server leaves that behind until its next start.
     */
    POSTGRES("INT", "QUIT", '"') {
        private static final int PROTOCOL_3_0 = 3 << 16;
        private static final byte[] HELLO =
                "user\0postgres\0database\0postgres\0\0".getBytes(StandardCharsets.US_ASCII);

        @Override
        public boolean welcomes(DataInputStream in, DataOutputStream out) throws IOException {
            out.writeInt(Integer.BYTES + Integer.BYTES + HELLO.length);
            out.writeInt(PROTOCOL_3_0);
            out.write(HELLO);
            out.flush();
            boolean welcome = in.readByte() == 'R';
            out.writeByte('X');
            out.writeInt(Integer.BYTES);
            return welcome;
        }
    },

    /** MySQL and MariaDB send the first message, and open their port only when they are ready. */
    MYSQL("TERM", "KILL", '`') {
        private static final int PACKET_HEADER_BYTES = 4;
        private static final byte PROTOCOL_10 = 10;

        @Override
        public boolean welcomes(DataInputStream in, DataOutputStream out) throws IOException {
            in.skipNBytes(PACKET_HEADER_BYTES);
            return in.readByte() == PROTOCOL_10;
        }
    };

    private final String stopSignal;
    private final String hardStopSignal;
    private final char quote;

    DatabaseEngine(String stopSignal, String hardStopSignal, char quote) {
        this.stopSignal = stopSignal;
        this.hardStopSignal = hardStopSignal;
        this.quote = quote;
    }

    Signals signals() {
        return new Signals(stopSignal, hardStopSignal);
    }

    String createDatabaseStatement(String name) {
        return "CREATE DATABASE " + quote + name + quote;
    }
}
