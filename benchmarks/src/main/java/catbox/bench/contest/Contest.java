package catbox.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Runs workloads. Contenders are warmed up before their first case, and alternate in each, round by round. */
public final class Contest {

    private final ContestOptions options;
    private final Results results;
    private final Deadline deadline;
    private final Set<Trial> done;

    /** The time until which trials may begin. */
    private record Deadline(long nanos) {

        static Deadline in(int minutes) {
            return new Deadline(System.nanoTime() + Duration.ofMinutes(minutes).toNanos());
        }

        boolean isOver() {
            return System.nanoTime() - nanos > 0;
        }
    }

    private Contest(ContestOptions options, Results results, Deadline deadline) throws IOException {
        this.options = options;
        this.results = results;
        this.deadline = deadline;
        this.done = options.extent().resume() ? Trial.in(Results.read(options.results())) : Set.of();
    }

    static List<Workload> workloads() {
        return List.of(new Drain(), new Latency(), new Cost(), new Sustained(), new HeldTransaction(), new Nodes());
    }

    /** Runs the workloads that the arguments name, each on separate servers, so that none is affected by another. */
    public static void run(List<String> words) throws Exception {
        ContestOptions options = ContestOptions.of(words);
        Results results = new Results(options.results());
        Contest contest =
                new Contest(options, results, Deadline.in(options.extent().minutesMax()));
        for (Workload workload : workloads()) {
            if (options.wants(workload) && !contest.deadline.isOver() && contest.turnsLeft(workload) > 0) {
                try (Arena arena = new Arena();
                        Stage stage = new Stage(arena, results)) {
                    contest.run(workload, stage);
                }
            }
        }
        System.out.println("results: " + results.file());
    }

    /** Compares ours with hand-written code in a few minutes, and with the baseline, or records the baseline. */
    public static void quick(List<String> words) throws Exception {
        boolean keep = words.equals(List.of("--keep"));
        if (!keep && !words.isEmpty()) {
            throw new IllegalArgumentException("unknown " + words + "; allowed after --quick is --keep");
        }
        Path baseline = Program.home().resolve("baseline.jsonl");
        Results results = new Results(Program.home().resolve("results").resolve("quick"));
        try (Arena arena = new Arena();
                Stage stage = new Stage(arena, results)) {
            for (List<String> each : Baseline.words()) {
                ContestOptions options = ContestOptions.of(each).quickly();
                Workload workload = workloads().stream()
                        .filter(known -> options.workloads().contains(known.name()))
                        .findFirst()
                        .orElseThrow();
                new Contest(options, results, Deadline.in(options.extent().minutesMax())).run(workload, stage);
            }
        }
        List<Map<String, Object>> before = Files.exists(baseline) ? Results.read(baseline) : List.of();
        System.out.print(new Baseline(Results.read(results.file()), before).comparison());
        if (keep) {
            Files.copy(results.file(), baseline, StandardCopyOption.REPLACE_EXISTING);
            System.out.println("kept as " + baseline);
        }
    }

    private long turnsLeft(Workload workload) {
        return cases(workload).stream()
                .flatMap(each -> trials(workload, each).stream())
                .filter(trial -> !done.contains(trial))
                .count();
    }

    private List<Workload.Case> cases(Workload workload) {
        return workload.cases(options.extent().quick()).stream()
                .filter(options.filter()::admits)
                .toList();
    }

    private List<Trial> trials(Workload workload, Workload.Case each) {
        List<String> contenders = Entrant.of(workload.name()).stream()
                .filter(entrant -> options.filter().admits(entrant) && each.suits(entrant))
                .map(Entrant::label)
                .toList();
        return Trial.of(
                workload.name(), each.name(), contenders, options.extent().rounds());
    }

    private void run(Workload workload, Stage stage) throws IOException {
        Set<Stage.Actor> warm = new HashSet<>(); // A contender that has run one case is warm for the next.
        for (Workload.Case each : cases(workload)) {
            for (Trial trial : trials(workload, each)) {
                if (deadline.isOver()) {
                    System.err.println("  time is over; continue with --resume");
                    return;
                }
                if (!done.contains(trial)) {
                    run(trial, each, stage, warm);
                }
            }
        }
    }

    // A contender's failure is a result like any other, and does not end the contest. The contender is restarted then,
    // and is not warm.
    private void run(Trial trial, Workload.Case each, Stage stage, Set<Stage.Actor> warm) throws IOException {
        Entrant entrant = Entrant.named(trial.contender());
        Map<String, Object> line = trial.line();
        try {
            Stage.Actor actor = stage.actor(entrant);
            if (warm.add(actor)) {
                each.warmUp(stage, actor);
            }
            // A warm-up that was interrupted has ended its contender.
            line.putAll(each.run(stage, stage.actor(entrant)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (Exception e) {
            stage.leave(entrant);
            line.put("failure", e.toString());
        }
        results.add(line);
        System.err.println("  " + summary(line));
    }

    private static String summary(Map<String, Object> line) {
        StringBuilder text = new StringBuilder(line.get("workload") + " " + line.get("case") + ", round "
                + line.get("round") + ", " + line.get("contender"));
        for (String name : List.of(
                "failure",
                "perSecond",
                "cut",
                "p50",
                "p99",
                "ratio",
                "slowdown",
                "duplicates",
                "inversions",
                "missing")) {
            Object value = line.get(name);
            if (value instanceof Double number) {
                text.append(String.format(Locale.ROOT, ", %s %,.2f", name, number));
            } else if (value != null && !value.equals(0L)) {
                text.append(", ").append(name).append(' ').append(value);
            }
        }
        return text.toString();
    }
}
