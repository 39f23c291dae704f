package catbox.mutations;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Applies mutations one after the other and reports what has caught each: {@code [--list] [part of a name]}. Ends with 1 when one
 * survived, or does not fit the sources any more.
 */
public final class MutateMain {

    private static final Compiled UNCHANGED = new Compiled(Map.of());

    private final Checkout checkout;
    private final Map<Catcher.Test, TestRun.Outcome> unchanged = new HashMap<>();

    private MutateMain(Checkout checkout) {
        this.checkout = checkout;
    }

    /** What has become of a mutation. */
    private enum Fate {
        CAUGHT,
        KNOWN,
        SURVIVED,
        BROKEN
    }

    private record Found(Fate fate, String by) {}

    public static void main(String[] args) throws IOException, InterruptedException, ReflectiveOperationException {
        List<String> words = List.of(args);
        boolean lists = words.contains("--list");
        List<String> names =
                words.stream().filter(word -> !word.equals("--list")).toList();
        if (names.size() > 1 || names.stream().anyMatch(name -> name.startsWith("-"))) {
            System.err.println("Usage: ./catbox mutate [--list] [part of a name], but was given " + words);
            System.exit(2);
        }
        List<Mutation> mutations = Mutations.named(names.isEmpty() ? "" : names.get(0));
        if (mutations.isEmpty()) {
            System.err.println("No mutation has a name that contains \"" + names.get(0) + "\".");
            System.exit(2);
        }
        if (lists) {
            mutations.forEach(each -> System.out.printf(
                    "%-45s %s%n%-45s to be caught by %s%n", each.name(), each.why(), "", each.catcher()));
            return;
        }
        System.exit(new MutateMain(Checkout.here()).apply(mutations) ? 0 : 1);
    }

    private boolean apply(List<Mutation> mutations)
            throws IOException, InterruptedException, ReflectiveOperationException {
        Map<Fate, Integer> counts = new HashMap<>();
        for (Mutation mutation : mutations) {
            long begun = System.nanoTime();
            Found found = apply(mutation);
            counts.merge(found.fate(), 1, Integer::sum);
            System.out.printf(
                    Locale.ROOT,
                    "%-8s  %-45s %6.1f s  %s%n",
                    found.fate(),
                    mutation.name(),
                    (System.nanoTime() - begun) / 1e9,
                    found.by());
        }
        int caught = counts.getOrDefault(Fate.CAUGHT, 0);
        int known = counts.getOrDefault(Fate.KNOWN, 0);
        System.out.printf(
                "%d mutations: %d caught, %d known to survive, %d survived, %d broken%n",
                mutations.size(),
                caught,
                known,
                counts.getOrDefault(Fate.SURVIVED, 0),
                counts.getOrDefault(Fate.BROKEN, 0));
        return caught + known == mutations.size();
    }

    private Found apply(Mutation mutation) throws IOException, InterruptedException, ReflectiveOperationException {
        try {
            Compiled compiled = Compiled.of(checkout, mutation.edits());
            return switch (mutation.catcher()) {
                case Catcher.Seeds seeds -> simulate(seeds, compiled);
                case Catcher.Test test -> run(test, compiled);
                case Catcher.Nothing nothing -> new Found(Fate.KNOWN, nothing.reason());
            };
        } catch (Edit.DoesNotFit e) {
            return new Found(Fate.BROKEN, String.valueOf(e.getMessage()));
        }
    }

    private static Found simulate(Catcher.Seeds seeds, Compiled compiled) throws ReflectiveOperationException {
        SimulatedMutant.Outcome outcome = new SimulatedMutant(compiled).run(seeds.max());
        return outcome.isGood()
                ? new Found(Fate.SURVIVED, outcome.runs() + " seeds of the simulator")
                : new Found(Fate.CAUGHT, "simulator, " + outcome.runs() + " seeds: " + outcome.firstViolation());
    }

    // A test that fails anyway would prove nothing, so each has to pass on unchanged sources first.
    private Found run(Catcher.Test test, Compiled compiled) throws IOException, InterruptedException {
        TestRun run = new TestRun(checkout, test);
        TestRun.Outcome before = unchanged.get(test);
        if (before == null) {
            before = run.run(UNCHANGED);
            unchanged.put(test, before);
        }
        if (before.verdict() != TestRun.Verdict.PASSED) {
            return new Found(
                    Fate.BROKEN,
                    test + " does not pass on unchanged sources: " + before.verdict() + " " + before.detail());
        }
        TestRun.Outcome outcome = run.run(compiled);
        return switch (outcome.verdict()) {
            case PASSED -> new Found(Fate.SURVIVED, test.toString());
            case FAILED -> new Found(Fate.CAUGHT, test + ", " + shortened(outcome.detail()));
            case NOT_RUN -> new Found(Fate.BROKEN, test + " could not be run:\n" + outcome.detail());
        };
    }

    private static String shortened(String text) {
        return text.length() <= 160 ? text : text.substring(0, 160) + " …";
    }
}
