package catbox.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lets a relay join and leave next to one that stays, while events of every partition are written. */
final class MoveLoop {

    private static final int MOVES = 5;
    private static final Duration WRITE_EVERY = Duration.ofMillis(10);
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);

    private final Path folder;

    MoveLoop(Path folder) {
        this.folder = folder;
    }

    /** A time in which partitions moved. */
    private record Move(long from, long to) {}

    /** Returns the longest time from commit to arrival of events that were committed while partitions moved. */
    Duration longestDelay() throws IOException, InterruptedException {
        try (Stage stage = new Stage(folder, NODE_TIMEOUT)) {
            Child staying = stage.startRelay();
            Wait.until("one has all partitions", Child.WAIT_MAX, () -> Stage.haveShared(List.of(staying)));
            Thread writing = stage.write(WRITE_EVERY);
            List<Move> moves = new ArrayList<>();
            for (int n = 0; n < MOVES; n++) {
                Child joining = stage.startRelay();
                // Starting a process keeps a small machine busy, which must not count as a move.
                joining.awaitRunning();
                moves.add(awaitShared("each has its partitions", List.of(staying, joining)));
                joining.askToClose();
                moves.add(awaitShared("one has all partitions", List.of(staying)));
                joining.awaitClosed();
            }
            stage.finish(writing);
            return longestDelay(stage.committed(), stage.entries(), moves);
        }
    }

    private static Move awaitShared(String what, List<Child> relays) throws InterruptedException {
        long from = Clock.micros();
        Wait.until(what, Child.WAIT_MAX, () -> Stage.haveShared(relays));
        return new Move(from, Clock.micros());
    }

    private static Duration longestDelay(Map<String, Long> committed, List<Entry> entries, List<Move> moves) {
        long longest = 0;
        for (Entry entry : entries) {
            if (entry instanceof Entry.Arrived arrived && arrived.acknowledged()) {
                long from = committed.getOrDefault(arrived.eventId(), 0L);
                if (moves.stream().anyMatch(move -> from >= move.from() && from <= move.to())) {
                    longest = Math.max(longest, arrived.at() - from);
                }
            }
        }
        return Duration.of(longest, ChronoUnit.MICROS);
    }
}
