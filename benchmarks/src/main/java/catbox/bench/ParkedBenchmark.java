package catbox.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.SettleRequest.DoneRows;

/** Measures what 100,000 events behind one parked key cost the others. */
final class ParkedBenchmark {

    private static final int PARKED = 100_000;

    private final Bench bench;
    private final int rounds;

    ParkedBenchmark(Bench bench, int rounds) {
        this.bench = bench;
        this.rounds = rounds;
    }

    void run() throws SQLException, InterruptedException {
        List<Double> free = new ArrayList<>();
        List<Double> behindParked = new ArrayList<>();
        for (int round = -2; round < rounds; round++) {
            double without = drain(0);
            double with = drain(PARKED);
            System.err.printf(Locale.ROOT, "  round %d: alone %,.0f/s, next to parked %,.0f/s%n", round, without, with);
            if (round >= 0) {
                free.add(without);
                behindParked.add(with);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "drain %,d events: alone %,.0f/s, next to %,d parked behind one key %,.0f/s, ratio %.2f%n",
                Backlog.USUAL.events(),
                DrainBenchmark.median(free),
                PARKED,
                DrainBenchmark.median(behindParked),
                DrainBenchmark.median(behindParked) / DrainBenchmark.median(free));
    }

    /** The parked events are older than all others, so every fetch would encounter them first. */
    private double drain(int parked) throws SQLException, InterruptedException {
        bench.execute("TRUNCATE outbox_event, outbox_attempt");
        if (parked > 0) {
            new Backlog(parked, 1, 500).append(bench, "parked-", 10_000_000);
        }
        Backlog.USUAL.append(bench, "key-", 0);
        bench.execute("VACUUM (ANALYZE) outbox_event");
        bench.execute("CHECKPOINT");
        try (RelayRun run =
                new RelayRun(bench, Backlog.USUAL.events(), RelayRun.settling(DoneRows.KEEP), refusingParked())) {
            return DrainBenchmark.perSecond(Backlog.USUAL.events(), run.nanos());
        }
    }

    private static Destination refusingParked() {
        Outcome delivered = new Outcome.Delivered();
        Outcome later = new Outcome.Retryable("not now", Duration.ofHours(1));
        return new Destination() {
            @Override
            public DestinationTraits traits() {
                return DestinationTraits.streaming();
            }

            @Override
            public void deliver(List<Delivery> deliveries, Receipt receipt) {
                for (int i = 0; i < deliveries.size(); i++) {
                    String key = deliveries.get(i).event().orderingKey();
                    receipt.report(i, key != null && key.startsWith("parked-") ? later : delivered);
                }
            }

            @Override
            public void close() {}
        };
    }
}
