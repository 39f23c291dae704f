package catbox.bench.contest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The command line's options.
 *
 * @param workloads such as w1; empty for all
 * @param filter selects contenders and cases; empty lists for all
 * @param extent how much to run
 */
record ContestOptions(List<String> workloads, Filter filter, Extent extent, Path results) {

    /**
     * Selects how much to run.
     *
     * @param quick shorter runs, to check that everything works
     * @param resume without the trials that the folder of results already contains
     * @param minutesMax no trial begins after this time
     */
    record Extent(int rounds, boolean quick, boolean resume, int minutesMax) {

        static final Extent WHOLE = new Extent(3, false, false, 9_999);

        Extent quickly() {
            return new Extent(rounds, true, resume, minutesMax);
        }
    }

    record Filter(List<String> contenders, List<String> cases) {

        boolean admits(Entrant entrant) {
            return contenders.isEmpty() || contenders.contains(entrant.label());
        }

        boolean admits(Workload.Case each) {
            return cases.isEmpty() || cases.contains(each.name().toLowerCase(Locale.ROOT));
        }
    }

    /**
     * @throws IllegalArgumentException if something is unknown, with what is allowed
     */
    static ContestOptions of(List<String> words) {
        List<String> workloads = new ArrayList<>();
        List<String> contenders = List.of();
        List<String> cases = List.of();
        Extent extent = Extent.WHOLE;
        Path results = null;
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "--quick" -> extent = extent.quickly();
                case "--resume" -> extent = new Extent(extent.rounds(), extent.quick(), true, extent.minutesMax());
                case "--rounds" ->
                    extent = new Extent(number(words, ++i), extent.quick(), extent.resume(), extent.minutesMax());
                case "--minutes" ->
                    extent = new Extent(extent.rounds(), extent.quick(), extent.resume(), number(words, ++i));
                case "--only" -> contenders = list(value(words, ++i));
                case "--case" -> cases = list(value(words, ++i));
                case "--results" -> results = Path.of(value(words, ++i));
                default -> workloads.add(workload(words.get(i)));
            }
        }
        contenders.forEach(Entrant::named);
        checkCases(workloads, cases);
        Path kept = Program.home().resolve("results");
        // A report uses everything in one folder, and quick runs must not be among it.
        Path to = results != null ? results : extent.quick() ? kept.resolve("quick") : kept;
        return new ContestOptions(workloads, new Filter(contenders, cases), extent, to);
    }

    ContestOptions quickly() {
        return new ContestOptions(workloads, filter, extent.quickly(), results);
    }

    boolean wants(Workload workload) {
        return workloads.isEmpty() || workloads.contains(workload.name());
    }

    private static void checkCases(List<String> workloads, List<String> cases) {
        List<String> known = Contest.workloads().stream()
                .filter(workload -> workloads.isEmpty() || workloads.contains(workload.name()))
                .flatMap(workload -> workload.cases(false).stream())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        for (String each : cases) {
            if (!known.contains(each)) {
                throw new IllegalArgumentException("unknown case \"" + each + "\" of "
                        + (workloads.isEmpty() ? "all workloads" : workloads) + "; allowed are " + known);
            }
        }
    }

    private static String value(List<String> words, int at) {
        if (at >= words.size()) {
            throw new IllegalArgumentException("a value is missing after " + words.get(at - 1));
        }
        return words.get(at);
    }

    private static int number(List<String> words, int at) {
        String word = value(words, at);
        if (!word.matches("[1-9][0-9]{0,3}")) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" after " + words.get(at - 1) + " is no such number; allowed is 1 to 9999");
        }
        return Integer.parseInt(word);
    }

    private static List<String> list(String word) {
        return Arrays.asList(word.toLowerCase(Locale.ROOT).split(",", -1));
    }

    private static String workload(String word) {
        List<String> known = Contest.workloads().stream().map(Workload::name).toList();
        if (!known.contains(word)) {
            throw new IllegalArgumentException("unknown \"" + word + "\"; allowed are " + known
                    + ", --rounds N, --quick, --resume, --minutes N, --only CONTENDER,..., --case NAME,... and"
                    + " --results FOLDER");
        }
        return word;
    }
}
