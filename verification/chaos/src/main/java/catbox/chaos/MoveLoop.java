package catbox.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** A relay that joins and leaves beside one that stays, while events of every partition are written. */
final class MoveLoop {

    private static final int MOVES = 5;
    private static final Duration WRITE_EVERY = Duration.ofMillis(10);
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);

    private final Path folder;

    MoveLoop(Path folder) {
        this.folder = folder;
    }

    /** The longest time from the commit of an event to its arrival. */
    Duration longestDelay() throws IOException, InterruptedException {
        try (Stage stage = new Stage(folder, NODE_TIMEOUT)) {
            Child staying = stage.startRelay();
            Patience.until("one has all partitions", Child.PATIENCE, () -> Stage.haveShared(List.of(staying)));
            Thread writing = stage.write(WRITE_EVERY);
            long begun = Clock.micros();
            for (int move = 0; move < MOVES; move++) {
                Child joining = stage.startRelay();
                Patience.until(
                        "each has its partitions", Child.PATIENCE, () -> Stage.haveShared(List.of(staying, joining)));
                joining.tellToClose();
                joining.awaitClosed();
                Patience.until("one has all partitions", Child.PATIENCE, () -> Stage.haveShared(List.of(staying)));
            }
            stage.finish(writing);
            return longestDelay(stage.committed(), stage.entries(), begun);
        }
    }

    private static Duration longestDelay(Map<String, Long> committed, List<Entry> entries, long begun) {
        long longest = entries.stream()
                .filter(Entry.Arrived.class::isInstance)
                .map(Entry.Arrived.class::cast)
                .filter(Entry.Arrived::acknowledged)
                .filter(arrived -> committed.getOrDefault(arrived.eventId(), 0L) > begun)
                .mapToLong(arrived -> arrived.at() - committed.getOrDefault(arrived.eventId(), arrived.at()))
                .max()
                .orElseThrow();
        return Duration.of(longest, ChronoUnit.MICROS);
    }
}
