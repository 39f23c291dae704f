package catbox.devservices;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The few commands that a replica set needs before a client can use it, encoded here. A client on the class path would
 * become a dependency of everything that starts a server.
 */
final class MongoDbGreeting {

    private static final int MESSAGE = 2013;
    private static final int HEADER_BYTES = 16;

    private static final byte DOCUMENT = 3;
    private static final byte ARRAY = 4;
    private static final byte TEXT = 2;
    private static final byte BOOLEAN = 8;
    private static final byte NUMBER = 16;

    private MongoDbGreeting() {}

    /** Returns whether a server answers at all, which it does before it belongs to a set. */
    static boolean answers(int port) {
        return new Probe(port, (in, out) -> ask(in, out, hello()).length > 0).getAsBoolean();
    }

    static boolean isPrimary(int port) {
        return new Probe(port, (in, out) -> isTrue(ask(in, out, hello()), "isWritablePrimary")).getAsBoolean();
    }

    /** Returns whether it accepts writes, or waits to become a member of a set. */
    static boolean isReady(int port) {
        return new Probe(port, (in, out) -> {
                    byte[] answer = ask(in, out, hello());
                    return isTrue(answer, "isWritablePrimary") || isTrue(answer, "isreplicaset");
                })
                .getAsBoolean();
    }

    /** Initiates a set of servers. Returns false when they refuse. */
    static boolean initiate(String set, List<Integer> ports) {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (int i = 0; i < ports.size(); i++) {
            field(
                    members,
                    DOCUMENT,
                    String.valueOf(i),
                    document(number("_id", i), text("host", "127.0.0.1:" + ports.get(i))));
        }
        // Short, so that a test does not wait ten seconds for the next primary.
        byte[] settings = document(number("electionTimeoutMillis", 2_000), number("heartbeatIntervalMillis", 500));
        byte[] config = document(
                text("_id", set),
                named(ARRAY, "members", document(members.toByteArray())),
                named(DOCUMENT, "settings", settings));
        byte[] command = document(named(DOCUMENT, "replSetInitiate", config), text("$db", "admin"));
        return new Probe(ports.getFirst(), (in, out) -> isOk(ask(in, out, command))).getAsBoolean();
    }

    private static byte[] hello() {
        return document(number("hello", 1), text("$db", "admin"));
    }

    private static byte[] ask(DataInputStream in, DataOutputStream out, byte[] command) throws IOException {
        byte[] message = new byte[HEADER_BYTES + 5 + command.length];
        littleEndian(message)
                .putInt(message.length)
                .putInt(1)
                .putInt(0)
                .putInt(MESSAGE)
                .putInt(0)
                .put((byte) 0)
                .put(command);
        out.write(message);
        out.flush();
        int length = Integer.reverseBytes(in.readInt());
        byte[] answer = new byte[length - Integer.BYTES];
        in.readFully(answer);
        return answer;
    }

    private static boolean isTrue(byte[] answer, String field) {
        return contains(answer, named(BOOLEAN, field, new byte[] {1}));
    }

    private static boolean isOk(byte[] answer) {
        byte doubleType = 1;
        byte[] one = new byte[Double.BYTES];
        littleEndian(one).putDouble(1);
        return contains(answer, named(doubleType, "ok", one));
    }

    // In Latin-1 every byte is a character, so String's search applies.
    private static boolean contains(byte[] whole, byte[] part) {
        return new String(whole, StandardCharsets.ISO_8859_1).contains(new String(part, StandardCharsets.ISO_8859_1));
    }

    private static byte[] document(byte[]... fields) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] field : fields) {
            content.writeBytes(field);
        }
        byte[] document = new byte[Integer.BYTES + content.size() + 1];
        littleEndian(document).putInt(document.length).put(content.toByteArray());
        return document;
    }

    private static byte[] text(String name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        byte[] content = new byte[Integer.BYTES + bytes.length + 1];
        littleEndian(content).putInt(bytes.length + 1).put(bytes);
        return named(TEXT, name, content);
    }

    private static byte[] number(String name, int value) {
        byte[] content = new byte[Integer.BYTES];
        littleEndian(content).putInt(value);
        return named(NUMBER, name, content);
    }

    private static byte[] named(byte type, String name, byte[] value) {
        ByteArrayOutputStream field = new ByteArrayOutputStream();
        field(field, type, name, value);
        return field.toByteArray();
    }

    private static void field(ByteArrayOutputStream to, byte type, String name, byte[] value) {
        to.write(type);
        to.writeBytes(name.getBytes(StandardCharsets.UTF_8));
        to.write(0);
        to.writeBytes(value);
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
