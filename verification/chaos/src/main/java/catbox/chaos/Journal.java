package catbox.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The record of all relays, and their destination. All processes append to one file, which the operating system keeps
 * in the order of the writes. That order, and not a clock, decides which came first. A written line survives any end of
 * its process. A line that a kill cut off has no end mark and does not count.
 */
final class Journal implements AutoCloseable {

    private static final String END = ".";

    private final String node;
    private final FileChannel file;

    private Journal(String node, FileChannel file) {
        this.node = node;
        this.file = file;
    }

    static Journal open(Path path, String node) throws IOException {
        return new Journal(
                node,
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    void arrived(Entry.Sent sent, boolean acknowledged) {
        append(
                acknowledged ? "arrived" : "unacknowledged",
                sent.event().key(),
                sent.event().number(),
                sent.eventId(),
                sent.at());
    }

    void refused(String eventId) {
        append("refused", eventId);
    }

    void joined(String session) {
        append("joined", session);
    }

    void acquired(int partition, long epoch) {
        append("acquired", partition, epoch);
    }

    void released(int partition, int abandoned) {
        append("released", partition, abandoned);
    }

    void lost(int partition, int abandoned) {
        append("lost", partition, abandoned);
    }

    void repartitioned(int partitions) {
        append("renumbered", partitions);
    }

    void fenced(int partition, int events) {
        append("fenced", partition, events);
    }

    private void append(String what, Object... fields) {
        StringBuilder line = new StringBuilder("\n").append(what).append('\t').append(Clock.micros());
        line.append('\t').append(node);
        for (Object field : fields) {
            line.append('\t').append(field);
        }
        line.append('\t').append(END);
        ByteBuffer bytes = ByteBuffer.wrap(line.toString().getBytes(StandardCharsets.UTF_8));
        try {
            // One write, so that lines of other processes cannot come in between.
            int written = file.write(bytes);
            if (bytes.hasRemaining()) {
                throw new IllegalStateException("only " + written + " bytes of a line were written");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all entries in order. */
    static List<Entry> read(Path path) throws IOException {
        List<Entry> entries = new ArrayList<>();
        if (Files.exists(path)) {
            for (String line : Files.readAllLines(path)) {
                if (line.endsWith("\t" + END)) {
                    entries.add(parse(line.split("\t", -1)));
                }
            }
        }
        return entries;
    }

    private static Entry parse(String[] fields) {
        long at = Long.parseLong(fields[1]);
        String node = fields[2];
        return switch (fields[0]) {
            case "arrived" -> new Entry.Arrived(at, node, sent(fields), true);
            case "unacknowledged" -> new Entry.Arrived(at, node, sent(fields), false);
            case "refused" -> new Entry.Refused(at, node, fields[3]);
            case "joined" -> new Entry.Joined(at, node, fields[3]);
            case "acquired" -> new Entry.Acquired(at, node, Integer.parseInt(fields[3]), Long.parseLong(fields[4]));
            case "released" -> new Entry.Released(at, node, Integer.parseInt(fields[3]), Integer.parseInt(fields[4]));
            case "lost" -> new Entry.Lost(at, node, Integer.parseInt(fields[3]), Integer.parseInt(fields[4]));
            case "renumbered" -> new Entry.Repartitioned(at, node, Integer.parseInt(fields[3]));
            case "fenced" -> new Entry.Fenced(at, node, Integer.parseInt(fields[3]), Integer.parseInt(fields[4]));
            default -> throw new IllegalArgumentException(String.join(" ", fields));
        };
    }

    private static Entry.Sent sent(String[] fields) {
        return new Entry.Sent(Long.parseLong(fields[6]), fields[5], new Numbered(fields[3], Long.parseLong(fields[4])));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
