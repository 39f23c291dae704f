package catbox.bench;

import catbox.bench.AdminOptions.Part;
import catbox.bench.AdminReads.Read;
import catbox.bench.AdminReads.ReadCall;
import catbox.devservices.DatabaseServer;
import catbox.devservices.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import outbox.admin.AdminStores;
import outbox.admin.StoreAdmin;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.SchemaInstaller;

/** Measures each read of an operator on a large table. At most one in twenty may take more than 300 ms. */
final class AdminBenchmark {

    private static final int READS = 100;
    private static final int LOOKS_BEFORE = 5;
    private static final Duration ALLOWED = Duration.ofMillis(300);

    private final AdminOptions options;
    private final Bench bench;
    private final StoreAdmin admin;
    private final SchemaInstaller schema;
    private final List<String> tooSlow = new ArrayList<>();

    private AdminBenchmark(AdminOptions options, Bench bench) {
        this.options = options;
        this.bench = bench;
        DataSourceConnectionProvider provider = new DataSourceConnectionProvider(bench.dataSource);
        AdminStores stores = new AdminStores(
                new JdbcStores(provider).operations(),
                new JdbcStores(provider).clusterAdmin(),
                new JdbcStores(provider).statistics(),
                new JdbcStores(provider).retention(),
                new JdbcStores(provider).diagnosis());
        this.admin = new StoreAdmin(stores, null, "bench");
        this.schema = new SchemaInstaller(provider);
    }

    static void run(List<String> words) throws SQLException, IOException {
        AdminOptions options = AdminOptions.of(words);
        if (options.url() != null) {
            try (Bench bench = Bench.of(options.url(), "postgres")) {
                new AdminBenchmark(options, bench).measure();
            }
            return;
        }
        // Enough for the writes; reads are measured with the part of it that stays in memory.
        try (DatabaseServer server = PostgresServer.start(Map.of("shared_buffers", "1GB", "max_wal_size", "8GB"));
                Bench bench = Bench.of(server.createDatabase("admin"), server.user())) {
            long begun = System.nanoTime();
            new AdminTable(options.rows(), Instant.now()).fill(bench);
            System.out.printf(
                    "%,d events in %d s: %s%n",
                    options.rows(), (System.nanoTime() - begun) / 1_000_000_000, bench.dataSource.getJdbcUrl());
            if (options.stay()) {
                while (System.in.read() >= 0) {
                    // Until it is stopped from outside.
                }
            } else {
                new AdminBenchmark(options, bench).measure();
            }
        }
    }

    private void measure() {
        if (options.parts().contains(Part.WITHOUT)) {
            schema.dropSearchIndexes();
            measure(
                    "without the optional indexes",
                    readCall -> readCall.method().apply(admin));
        }
        if (options.parts().contains(Part.WITH)) {
            long begun = System.nanoTime();
            schema.createSearchIndexes();
            System.out.printf("%nindexes there after %d s%n", (System.nanoTime() - begun) / 1_000_000_000);
            measure("with the optional indexes", readCall -> readCall.method().apply(admin));
        }
        if (options.parts().contains(Part.HTTP)) {
            try (AdminServer server = new AdminServer(bench.dataSource.getJdbcUrl(), bench.dataSource.getUsername())) {
                measure("over HTTP, " + schema.searchIndexes(), readCall -> server.get(readCall.path()));
            }
        }
        System.out.println();
        System.out.println(
                tooSlow.isEmpty()
                        ? "every p95 is under " + ALLOWED.toMillis() + " ms"
                        : "over " + ALLOWED.toMillis() + " ms: " + String.join("; ", tooSlow));
    }

    private void measure(String how, Function<ReadCall, Object> caller) {
        System.out.printf(
                "%n%s, %d reads each, ms%n%n| read | p50 | p95 | max |%n| --- | --: | --: | --: |%n", how, READS);
        for (Read read : new AdminReads(admin).all()) {
            Random random = new Random(read.name().hashCode());
            for (int n = 0; n < LOOKS_BEFORE; n++) {
                Objects.requireNonNull(caller.apply(read.readCall().apply(random)));
            }
            List<Double> millis = new ArrayList<>();
            for (int n = 0; n < READS; n++) {
                ReadCall readCall = read.readCall().apply(random);
                long begun = System.nanoTime();
                Objects.requireNonNull(caller.apply(readCall));
                millis.add((System.nanoTime() - begun) / 1e6);
            }
            report(read.name(), how, new Milliseconds(millis));
        }
    }

    private void report(String name, String how, Milliseconds millis) {
        double p95 = millis.at(0.95);
        System.out.printf(Locale.ROOT, "| %s | %.1f | %.1f | %.1f |%n", name, millis.at(0.5), p95, millis.at(1));
        if (p95 > ALLOWED.toMillis()) {
            tooSlow.add(String.format(Locale.ROOT, "%s (%.0f ms, %s)", name, p95, how));
        }
    }
}
