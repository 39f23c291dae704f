package catbox.livedemo;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.livedemo.Reckoning.Stored;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A demo that reports that nothing was lost has to be able to report the contrary. */
class ReckoningTest {

    private final Journal journal = new Journal();

    @Test
    void reportsNoFaultWhenEverythingArrivedInOrderEvenTwice() {
        arrive("a", "b", "a");
        Reckoning reckoning = reckon(done("a"), done("b"));
        assertThat(reckoning.isRight()).isTrue();
        assertThat(reckoning.isComplete()).isTrue();
        assertThat(output(reckoning)).contains("Nothing was lost.", "committed   2", "received    2", "duplicates  1");
    }

    @Test
    void findsDoneEventsThatNeverArrived() {
        arrive("a");
        Reckoning reckoning = reckon(done("a"), done("b"));
        assertThat(reckoning.lost()).containsExactly("b");
        assertThat(reckoning.isRight()).isFalse();
        assertThat(output(reckoning)).contains("SOMETHING IS WRONG.", "LOST [b]");
    }

    @Test
    void distinguishesPendingFromLostEvents() {
        arrive("a");
        Reckoning reckoning = reckon(done("a"), new Stored("b", "orders/1", 0));
        assertThat(reckoning.isRight()).isTrue();
        assertThat(reckoning.isComplete()).isFalse();
        assertThat(output(reckoning)).contains("1 in the table, not settled yet");
    }

    @Test
    void doesNotWaitForDeadEvents() {
        arrive("a", "b");
        Reckoning reckoning = reckon(done("a"), new Stored("b", "orders/1", 3));
        assertThat(reckoning.isRight()).isTrue();
        assertThat(reckoning.isComplete()).isTrue();
        assertThat(output(reckoning)).contains("refused     1 by the warehouse");
    }

    @Test
    void findsArrivalsThatWereNeverCommitted() {
        arrive("a", "ghost");
        Reckoning reckoning = reckon(done("a"));
        assertThat(reckoning.neverCommitted()).containsExactly("ghost");
        assertThat(reckoning.isRight()).isFalse();
    }

    @Test
    void findsAKeyWhoseOrderIsBroken() {
        arrive("b", "a");
        Reckoning reckoning = reckon(done("a"), done("b"));
        assertThat(reckoning.outOfOrder()).containsExactly("orders/1");
        assertThat(output(reckoning)).contains("BROKEN for [orders/1]");
    }

    private void arrive(String... ids) {
        for (String id : ids) {
            journal.arrived(new Journal.Arrival(id, "OrderCreated", "orders", "1", Duration.ofMillis(3)));
        }
    }

    private Reckoning reckon(Stored... stored) {
        return Reckoning.of(List.of(stored), journal);
    }

    private static Stored done(String id) {
        return new Stored(id, "orders/1", 1);
    }

    private String output(Reckoning reckoning) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        reckoning.print(new Console(new PrintStream(output, true, StandardCharsets.UTF_8)), journal);
        return output.toString(StandardCharsets.UTF_8);
    }
}
