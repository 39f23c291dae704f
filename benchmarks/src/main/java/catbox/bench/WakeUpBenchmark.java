package catbox.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.relay.WakeUpSender;

/** Measures whether waking relays in other processes slows down the business transaction. */
final class WakeUpBenchmark {

    private static final int TRANSACTIONS = 8_000;

    private final Bench bench;

    WakeUpBenchmark(Bench bench) {
        this.bench = bench;
    }

    void run() throws SQLException {
        bench.empty();
        try (PostgresWakeUpChannel channel =
                        new PostgresWakeUpChannel(new DataSourceConnectionProvider(bench.dataSource));
                WakeUpSender sender = new WakeUpSender(channel).start()) {
            List<BusinessTransaction> variants = List.of(
                    BusinessTransaction.publish(bench.transactions, bench.storeOnly()),
                    BusinessTransaction.publish(bench.transactions, bench.publishing(sender)));
            List<List<Double>> micros = List.of(new ArrayList<>(), new ArrayList<>());
            List<Integer> order = new ArrayList<>(List.of(0, 1));
            Random shuffle = new Random(42);
            for (int i = -TRANSACTIONS / 4; i < TRANSACTIONS; i++) {
                Collections.shuffle(order, shuffle);
                for (int variant : order) {
                    long began = System.nanoTime();
                    variants.get(variant).run(i);
                    if (i >= 0) {
                        micros.get(variant).add((System.nanoTime() - began) / 1_000.0);
                    }
                }
            }
            double silent = DrainBenchmark.median(micros.get(0));
            double waking = DrainBenchmark.median(micros.get(1));
            System.out.printf(
                    Locale.ROOT,
                    "publish without wake-up %,.0f µs, with wake-up %,.0f µs, ratio %.3f%n",
                    silent,
                    waking,
                    waking / silent);
        }
    }
}
