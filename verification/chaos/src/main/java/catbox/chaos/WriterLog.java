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

/** A writer's record of its transactions: the event ids with their fates. */
final class WriterLog implements AutoCloseable {

    /** A transaction's outcome, as its writer knows it. */
    enum Fate {
        COMMITTED,
        ROLLED_BACK,
        /** The commit was sent and had no answer: the table decides. */
        UNKNOWN
    }

    /** One event that was written. */
    record Written(String eventId, Fate fate) {}

    private final FileChannel file;

    WriterLog(Path path) throws IOException {
        this.file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    void write(Fate fate, List<String> eventIds) {
        StringBuilder lines = new StringBuilder();
        eventIds.forEach(id -> lines.append(fate).append(' ').append(id).append('\n'));
        try {
            file.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Written> read(Path path) throws IOException {
        List<Written> written = new ArrayList<>();
        for (String line : Files.readAllLines(path)) {
            String[] fields = line.split(" ", -1);
            written.add(new Written(fields[1], Fate.valueOf(fields[0])));
        }
        return written;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
