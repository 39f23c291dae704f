package catbox.bench.contest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What the command line asks for.
 *
 * @param workloads such as w1; empty for all
 * @param filter which contenders and cases; empty lists for all
 * @param quick shorter runs, to see that everything works
 */
record ContestOptions(List<String> workloads, Filter filter, int rounds, boolean quick, Path results) {

    record Filter(List<String> contenders, List<String> cases) {

        boolean admits(Entrant entrant) {
            return contenders.isEmpty() || contenders.contains(entrant.label());
        }

        boolean admits(Workload.Case each) {
            return cases.isEmpty() || cases.contains(each.name().toLowerCase(Locale.ROOT));
        }
    }

    private static final int ROUNDS = 3;

    /** @throws IllegalArgumentException if something is unknown, with what is allowed */
    static ContestOptions of(List<String> words) {
        List<String> workloads = new ArrayList<>();
        List<String> contenders = List.of();
        List<String> cases = List.of();
        int rounds = ROUNDS;
        boolean quick = false;
        Path results = null;
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "--quick" -> quick = true;
                case "--rounds" -> rounds = rounds(value(words, ++i));
                case "--only" -> contenders = list(value(words, ++i));
                case "--case" -> cases = list(value(words, ++i));
                case "--results" -> results = Path.of(value(words, ++i));
                default -> workloads.add(workload(words.get(i)));
            }
        }
        contenders.forEach(Entrant::named);
        Path kept = Program.home().resolve("results");
        // A report is made of all that lies in one folder, and quick runs are not to be among the others.
        Path to = results != null ? results : quick ? kept.resolve("quick") : kept;
        return new ContestOptions(workloads, new Filter(contenders, cases), rounds, quick, to);
    }

    ContestOptions quickly() {
        return new ContestOptions(workloads, filter, rounds, true, results);
    }

    private static String value(List<String> words, int at) {
        if (at >= words.size()) {
            throw new IllegalArgumentException("a value is missing after " + words.get(at - 1));
        }
        return words.get(at);
    }

    private static int rounds(String word) {
        if (!word.matches("[1-9][0-9]{0,3}")) {
            throw new IllegalArgumentException("\"" + word + "\" is no number of rounds; allowed is 1 to 9999");
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
                    + ", --rounds N, --quick, --only CONTENDER,..., --case NAME,... and --results FOLDER");
        }
        return word;
    }
}
