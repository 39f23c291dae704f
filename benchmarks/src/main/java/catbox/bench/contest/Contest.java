package catbox.bench.contest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Runs workloads: in each case all contenders are warmed up, then take turns, round by round. */
public final class Contest {

    private final ContestOptions options;
    private final Results results;

    private Contest(ContestOptions options, Results results) {
        this.options = options;
        this.results = results;
    }

    static List<Workload> workloads() {
        return List.of(new Drain(), new Latency(), new Cost(), new Sustained(), new HeldTransaction(), new Nodes());
    }

    /** Runs what the words ask for, each workload on servers of its own, so that none pays for what another left. */
    public static void run(List<String> words) throws Exception {
        ContestOptions options = ContestOptions.of(words);
        Results results = new Results(options.results());
        for (Workload workload : workloads()) {
            if (options.workloads().isEmpty() || options.workloads().contains(workload.name())) {
                try (Arena arena = new Arena();
                        Stage stage = new Stage(arena, results)) {
                    new Contest(options, results).run(workload, stage);
                }
            }
        }
        System.out.println("results: " + results.file());
    }

    /** Ours beside what is written by hand, in a few minutes, compared with the baseline, or to become it. */
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
                new Contest(options, results).run(workload, stage);
            }
        }
        List<Map<String, Object>> before = Files.exists(baseline) ? Results.read(baseline) : List.of();
        System.out.print(new Baseline(Results.read(results.file()), before).comparison());
        if (keep) {
            Files.copy(results.file(), baseline, StandardCopyOption.REPLACE_EXISTING);
            System.out.println("kept as " + baseline);
        }
    }

    private void run(Workload workload, Stage stage) throws IOException {
        for (Workload.Case each : workload.cases(options.quick())) {
            if (options.filter().admits(each)) {
                run(workload, each, stage);
            }
        }
    }

    private void run(Workload workload, Workload.Case each, Stage stage) throws IOException {
        List<Entrant> entrants = Entrant.of(workload.name()).stream()
                .filter(options.filter()::admits)
                .filter(each::suits)
                .toList();
        Set<Stage.Actor> warm = new HashSet<>();
        for (int round = 0; round < options.rounds(); round++) {
            for (Entrant entrant : entrants) {
                turn(workload, each, stage, new Turn(entrant, round, warm));
            }
        }
    }

    /** Whose turn it is; one that failed is started anew, and is not warm. */
    private record Turn(Entrant entrant, int round, Set<Stage.Actor> warm) {}

    // One contender's failure is a result like any other, and ends nobody else's contest.
    private void turn(Workload workload, Workload.Case each, Stage stage, Turn turn) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("workload", workload.name());
        line.put("case", each.name());
        line.put("contender", turn.entrant().label());
        line.put("round", turn.round());
        try {
            Stage.Actor actor = stage.actor(turn.entrant());
            if (turn.warm().add(actor)) {
                each.warmUp(stage, actor);
            }
            line.putAll(each.run(stage, actor));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (Exception e) {
            stage.leave(turn.entrant());
            line.put("failure", e.toString());
        }
        results.add(line);
        System.err.println("  " + summary(line));
    }

    private static String summary(Map<String, Object> line) {
        StringBuilder text = new StringBuilder(line.get("workload") + " " + line.get("case") + ", round "
                + line.get("round") + ", " + line.get("contender"));
        for (String name : List.of(
                "failure", "perSecond", "p50", "p99", "ratio", "slowdown", "duplicates", "inversions", "missing")) {
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
