package catbox.bench;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import outbox.spi.SettleRequest.DoneRows;

/**
 * Measures how fast a relay drains a backlog into a destination without cost, compared with the minimum that any relay
 * has to do.
 */
final class DrainBenchmark {

    private static final int ROUNDS_TO_WARM_UP = 3;

    private final Bench bench;
    private final int rounds;
    private final PrintStream out = System.out;

    DrainBenchmark(Bench bench, int rounds) {
        this.bench = bench;
        this.rounds = rounds;
    }

    /** Compares the relay with the hand-written loop, alternating. */
    void compareWithLoop() throws SQLException, InterruptedException {
        for (DoneRows doneRows : DoneRows.values()) {
            List<Double> byHand = new ArrayList<>();
            List<Double> byRelay = new ArrayList<>();
            for (int round = -ROUNDS_TO_WARM_UP; round < rounds; round++) {
                Backlog.USUAL.write(bench);
                double hand = perSecond(Backlog.USUAL.events(), HandWrittenLoop.drain(bench, doneRows));
                Backlog.USUAL.write(bench);
                double relay = perSecond(Backlog.USUAL.events(), byRelay(Backlog.USUAL, doneRows));
                if (round >= 0) {
                    byHand.add(hand);
                    byRelay.add(relay);
                }
                progress(String.format(
                        Locale.ROOT, "%s round %d: by hand %,.0f/s, relay %,.0f/s", doneRows, round, hand, relay));
            }
            out.printf(
                    Locale.ROOT,
                    "drain %,d events, done rows %s: hand-written loop %,.0f/s, relay %,.0f/s, ratio %.2f%n",
                    Backlog.USUAL.events(),
                    doneRows,
                    median(byHand),
                    median(byRelay),
                    median(byRelay) / median(byHand));
        }
    }

    /**
     * Measures whether the rate depends on the size of the backlog, compared with the hand-written loop. The server
     * gets the memory of a typical server of this size. A million rows written twice exceed its defaults for memory and
     * for log between two checkpoints, and would measure the disk instead of the relay.
     */
    void fromBacklogs(int... sizes) throws SQLException, InterruptedException {
        bench.restartWith("shared_buffers = '2GB'", "max_wal_size = '8GB'");
        double[][] rates = new double[sizes.length][rounds];
        double[][] byHand = new double[sizes.length][rounds];
        for (int round = -1; round < rounds; round++) {
            for (int i = 0; i < sizes.length; i++) {
                Backlog backlog = Backlog.USUAL.of(sizes[i]);
                backlog.write(bench);
                double hand = perSecond(sizes[i], HandWrittenLoop.drain(bench, DoneRows.KEEP));
                backlog.write(bench);
                double rate = perSecond(sizes[i], byRelay(backlog, DoneRows.KEEP));
                progress(String.format(
                        Locale.ROOT,
                        "round %d: backlog %,d: by hand %,.0f/s, relay %,.0f/s",
                        round,
                        sizes[i],
                        hand,
                        rate));
                if (round >= 0) {
                    rates[i][round] = rate;
                    byHand[i][round] = hand;
                }
            }
        }
        for (int i = 0; i < sizes.length; i++) {
            out.printf(
                    Locale.ROOT,
                    "drain from a backlog of %,d: hand-written loop %,.0f/s, %.2f of its first; relay %,.0f/s, %.2f of"
                            + " its first%n",
                    sizes[i],
                    median(byHand[i]),
                    median(byHand[i]) / median(byHand[0]),
                    median(rates[i]),
                    median(rates[i]) / median(rates[0]));
        }
    }

    private long byRelay(Backlog backlog, DoneRows doneRows) throws InterruptedException {
        try (RelayRun run = new RelayRun(bench, backlog.events(), RelayRun.settling(doneRows), RelayRun.noop())) {
            return run.nanos();
        }
    }

    static double perSecond(long events, long nanos) {
        return events * 1e9 / nanos;
    }

    static double median(List<Double> values) {
        return median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void progress(String line) {
        System.err.println("  " + line);
    }
}
