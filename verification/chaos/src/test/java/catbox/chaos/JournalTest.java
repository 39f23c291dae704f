package catbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal keeps the order of its writers, and knows a line that a kill cut off. */
class JournalTest {

    @TempDir
    private Path folder;

    @Test
    void returnsTheLinesOfSeveralWritersInWritingOrder() throws Exception {
        Path path = folder.resolve("journal.txt");
        try (Journal one = Journal.open(path, "one");
                Journal other = Journal.open(path, "other")) {
            one.arrived(new Entry.Sent(1, "id-1", new Numbered("k", 1)), true);
            other.acquired(3, 7);
            one.arrived(new Entry.Sent(2, "id-2", new Numbered("k", 2)), false);
            other.lost(3, 2);
        }

        List<Entry> entries = Journal.read(path);

        assertThat(entries).extracting(Entry::node).containsExactly("one", "other", "one", "other");
        assertThat(entries.get(2)).isInstanceOfSatisfying(Entry.Arrived.class, arrived -> {
            assertThat(arrived.sent()).isEqualTo(new Entry.Sent(2, "id-2", new Numbered("k", 2)));
            assertThat(arrived.acknowledged()).isFalse();
        });
    }

    @Test
    void aLineThatWasCutOffNeverHappened() throws Exception {
        Path path = folder.resolve("journal.txt");
        try (Journal before = Journal.open(path, "before")) {
            before.refused("id-1");
        }
        Files.writeString(path, "\narrived\t17\tkilled\tk\t1", StandardOpenOption.APPEND);
        try (Journal after = Journal.open(path, "after")) {
            after.refused("id-2");
        }

        assertThat(Journal.read(path)).extracting(Entry::node).containsExactly("before", "after");
    }
}
