package catbox.server.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/** Everything that is wrong with a file, in the order of its lines. */
final class ConfigErrors {

    private record Complaint(int line, String text) {}

    private final List<Complaint> all = new ArrayList<>();

    /**
     * Adds one.
     *
     * @param line counted from 1; 0 when no line is to blame
     */
    void add(int line, String text) {
        all.add(new Complaint(line, text));
    }

    int count() {
        return all.size();
    }

    /**
     * Refuses to go on when there is one.
     *
     * @throws WrongConfigException with all of them
     */
    void refuse(String file) {
        if (!all.isEmpty()) {
            List<String> lines = new ArrayList<>(new LinkedHashSet<>(all.stream()
                    .sorted(Comparator.comparingInt(Complaint::line))
                    .map(each -> (each.line() > 0 ? "line " + each.line() + ": " : "") + each.text())
                    .toList()));
            throw new WrongConfigException(file, lines);
        }
    }
}
