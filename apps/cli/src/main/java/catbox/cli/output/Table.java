package catbox.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in columns as wide as what is in them; where the line is too short for that, the widest columns are cut. */
public final class Table {

    private static final String GAP = "  ";
    private static final String NOTHING = "-";
    private static final String NUMBERS = ">";
    private static final String WHOLE = "=";
    private static final int WIDTH_LEAST = 6;

    private final List<String> titles;
    private final List<List<Object>> rows = new ArrayList<>();

    /** A cell that says by its colour how things are. */
    public record Painted(Screen.Colour colour, String text) {

        @Override
        public String toString() {
            return text;
        }
    }

    /** Titles that begin with {@code >} are of columns of numbers; those with {@code =} of columns that are never cut. */
    public Table(String... titles) {
        this.titles = List.of(titles);
    }

    /** Adds a row; null is nothing. */
    public Table row(@Nullable Object... cells) {
        if (cells.length != titles.size()) {
            throw new IllegalArgumentException("a row has " + titles.size() + " cells, had " + Arrays.toString(cells));
        }
        rows.add(Arrays.stream(cells)
                .map(cell -> cell == null || cell.toString().isEmpty() ? NOTHING : cell)
                .toList());
        return this;
    }

    public void print(Screen screen) {
        int[] widths = widths(screen.width());
        List<Object> heads = titles.stream().<Object>map(Table::plain).toList();
        screen.print(screen.paint(Screen.Colour.QUIET, line(heads, widths, screen)));
        rows.forEach(row -> screen.print(line(row, widths, screen)));
    }

    private static String plain(String title) {
        return title.startsWith(NUMBERS) || title.startsWith(WHOLE) ? title.substring(1) : title;
    }

    private int[] widths(int lineMax) {
        int[] widths = titles.stream().mapToInt(title -> plain(title).length()).toArray();
        for (List<Object> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] =
                        Math.max(widths[column], Lines.single(row.get(column)).length());
            }
        }
        int tooMuch = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - lineMax;
        for (int widest = widest(widths); tooMuch > 0 && widest >= 0; widest = widest(widths)) {
            widths[widest]--;
            tooMuch--;
        }
        return widths;
    }

    // None when all are as narrow as they may be: a line that the terminal breaks is better than one that says nothing.
    private int widest(int[] widths) {
        int widest = -1;
        int width = WIDTH_LEAST;
        for (int column = 0; column < widths.length; column++) {
            if (widths[column] > width && !titles.get(column).startsWith(WHOLE)) {
                widest = column;
                width = widths[column];
            }
        }
        return widest;
    }

    private String line(List<Object> cells, int[] widths, Screen screen) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            Object cell = cells.get(column);
            String text = Lines.cut(Lines.single(cell), widths[column]);
            String space = " ".repeat(widths[column] - text.length());
            String shown = cell instanceof Painted painted ? screen.paint(painted.colour(), text) : text;
            boolean isLast = column == widths.length - 1;
            if (titles.get(column).startsWith(NUMBERS)) {
                line.append(space).append(shown);
            } else {
                line.append(shown).append(isLast ? "" : space);
            }
            line.append(isLast ? "" : GAP);
        }
        return line.toString();
    }
}
