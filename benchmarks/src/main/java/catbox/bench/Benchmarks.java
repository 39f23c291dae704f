package catbox.bench;

import catbox.bench.contest.Contest;
import catbox.bench.contest.Report;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the benchmark that the first argument names, or all of them. */
public final class Benchmarks {

    // Referenced here, because the logging framework forgets the level of an unreferenced logger.
    private static final Logger OUTBOX_LOG = Logger.getLogger("outbox");

    private Benchmarks() {}

    public static void main(String[] args) throws Exception {
        OUTBOX_LOG.setLevel(Level.OFF);
        String name = args.length == 0 ? "all" : args[0].toLowerCase(Locale.ROOT);
        if (List.of("peers", "--quick", "report", "admin").contains(name)) {
            withOptions(name, List.of(args).subList(1, args.length));
            return;
        }
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        if (name.equals("memory-child")) {
            MemoryBenchmark.inChild();
        } else if (name.equals("all")) {
            for (Named named : Named.values()) {
                named.run(rounds);
            }
        } else {
            named(name).run(rounds);
        }
    }

    private static void withOptions(String name, List<String> words) throws Exception {
        try {
            switch (name) {
                case "peers" -> Contest.run(words);
                case "--quick" -> Contest.quick(words);
                case "admin" -> AdminBenchmark.run(words);
                default -> Report.run(words);
            }
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    private static Named named(String name) {
        for (Named named : Named.values()) {
            if (named.name().toLowerCase(Locale.ROOT).equals(name)) {
                return named;
            }
        }
        System.err.println("unknown benchmark \"" + name + "\"; allowed are all, peers, report, --quick, admin and "
                + Arrays.toString(Named.values()).toLowerCase(Locale.ROOT));
        System.exit(2);
        throw new IllegalStateException("not reached");
    }

    private enum Named {
        PUBLISH {
            @Override
            void run(int rounds) throws Exception {
                PublishBenchmark.main(new String[0]);
            }
        },
        WAKEUP {
            @Override
            void run(int rounds) throws Exception {
                try (Bench bench = new Bench()) {
                    new WakeUpBenchmark(bench).run();
                }
            }
        },
        LATENCY {
            @Override
            void run(int rounds) throws Exception {
                new LatencyBenchmark(rounds).run();
            }
        },
        DRAIN {
            @Override
            void run(int rounds) throws Exception {
                try (Bench bench = new Bench()) {
                    new DrainBenchmark(bench, rounds).compareWithLoop();
                }
            }
        },
        KAFKA {
            @Override
            void run(int rounds) throws Exception {
                try (Bench bench = new Bench()) {
                    new KafkaBenchmark(bench, rounds).run();
                }
            }
        },
        MONGODB {
            @Override
            void run(int rounds) throws Exception {
                try (Bench postgres = new Bench();
                        MongoBench mongo = new MongoBench()) {
                    new MongoBenchmark(postgres, mongo, rounds).run();
                }
            }
        },
        BACKLOG {
            @Override
            void run(int rounds) throws Exception {
                try (Bench bench = new Bench()) {
                    new DrainBenchmark(bench, rounds).fromBacklogs(10_000, 100_000, 1_000_000);
                }
            }
        },
        PARKED {
            @Override
            void run(int rounds) throws Exception {
                try (Bench bench = new Bench()) {
                    new ParkedBenchmark(bench, rounds).run();
                }
            }
        },
        NODES {
            @Override
            void run(int rounds) throws Exception {
                try (Bench bench = new Bench()) {
                    new NodesBenchmark(bench, rounds).run();
                }
            }
        },
        MEMORY {
            @Override
            void run(int rounds) throws Exception {
                MemoryBenchmark.run();
            }
        };

        abstract void run(int rounds) throws Exception;
    }
}
