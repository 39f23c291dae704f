package catbox.devservices;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Requests a Kafka server's list of brokers. Its port opens a moment before the server lists itself, and in that moment
 * no topic can be created.
 */
final class KafkaGreeting {

    private static final short METADATA = 3;
    private static final short VERSION = 1;
    private static final int NO_CLIENT_ID = -1;
    private static final int REQUEST_BYTES = 14;

    private KafkaGreeting() {}

    static boolean welcomes(DataInputStream in, DataOutputStream out) throws IOException {
        out.writeInt(REQUEST_BYTES);
        out.writeShort(METADATA);
        out.writeShort(VERSION);
        out.writeInt(0); // The number that the response repeats.
        out.writeShort(NO_CLIENT_ID);
        out.writeInt(0); // No topics.
        out.flush();
        in.readInt();
        in.readInt();
        int brokers = in.readInt();
        return brokers > 0;
    }
}
