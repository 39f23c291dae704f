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
 * The record of all relays, and the outside world that they deliver to. All processes append to one file, which the
 * operating system keeps in the order of the writes: that order, and no clock, tells what came first. A line that was
 * written is there however its process ends. One that a kill cut off has no end mark and never happened.
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

    void acquired(int slot, long epoch) {
        append("acquired", slot, epoch);
    }

    void released(int slot, int abandoned) {
        append("released", slot, abandoned);
    }

    void lost(int slot, int abandoned) {
        append("lost", slot, abandoned);
    }

    void renumbered(int partitions) {
        append("renumbered", partitions);
    }

    void fenced(int slot, int events) {
        append("fenced", slot, events);
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
            // One write, so that the lines of other processes cannot come between.
            int written = file.write(bytes);
            if (bytes.hasRemaining()) {
                throw new IllegalStateException("only " + written + " bytes of a line were written");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that was written, in order. */
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

    private static Entry parse(String[] words) {
        long at = Long.parseLong(words[1]);
        String node = words[2];
        return switch (words[0]) {
            case "arrived" -> new Entry.Arrived(at, node, sent(words), true);
            case "unacknowledged" -> new Entry.Arrived(at, node, sent(words), false);
            case "refused" -> new Entry.Refused(at, node, words[3]);
            case "joined" -> new Entry.Joined(at, node, words[3]);
            case "acquired" -> new Entry.Acquired(at, node, Integer.parseInt(words[3]), Long.parseLong(words[4]));
            case "released" -> new Entry.Released(at, node, Integer.parseInt(words[3]), Integer.parseInt(words[4]));
            case "lost" -> new Entry.Lost(at, node, Integer.parseInt(words[3]), Integer.parseInt(words[4]));
            case "renumbered" -> new Entry.Renumbered(at, node, Integer.parseInt(words[3]));
            case "fenced" -> new Entry.Fenced(at, node, Integer.parseInt(words[3]), Integer.parseInt(words[4]));
            default -> throw new IllegalArgumentException(String.join(" ", words));
        };
    }

    private static Entry.Sent sent(String[] words) {
        return new Entry.Sent(Long.parseLong(words[6]), words[5], new Numbered(words[3], Long.parseLong(words[4])));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
