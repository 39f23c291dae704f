package catbox.cli.output;

import static catbox.cli.output.Screen.Colour.QUIET;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Shows rows in columns as wide as their content. If the line is too short for that, the widest columns are cut. */
public final class Table<T> {

    private static final String GAP = "  ";
    private static final String NOTHING = "-";
    private static final int WIDTH_LEAST = 6;

    private final List<Column<T>> columns = new ArrayList<>();

    private enum Kind {
        TEXT,
        NUMBER,
        WHOLE
    }

    private record Column<T>(String title, Kind kind, Function<? super T, ? extends @Nullable Object> cell) {

        Object of(T row) {
            Object value = cell.apply(row);
            return value == null || value.toString().isEmpty() ? NOTHING : value;
        }
    }

    /** Adds a column; a cell that is null or empty is shown as a dash. */
    public Table<T> text(String title, Function<? super T, ? extends @Nullable Object> cell) {
        return column(title, Kind.TEXT, cell);
    }

    /** Adds a column whose cells are aligned to the right. */
    public Table<T> number(String title, Function<? super T, ? extends @Nullable Object> cell) {
        return column(title, Kind.NUMBER, cell);
    }

    /** Adds a column that is never cut, such as one of ids. */
    public Table<T> whole(String title, Function<? super T, ? extends @Nullable Object> cell) {
        return column(title, Kind.WHOLE, cell);
    }

    private Table<T> column(String title, Kind kind, Function<? super T, ? extends @Nullable Object> cell) {
        columns.add(new Column<>(title, kind, cell));
        return this;
    }

    public void print(Screen screen, List<? extends T> rows) {
        List<List<Object>> lines = new ArrayList<>();
        lines.add(
                columns.stream().<Object>map(column -> QUIET.of(column.title())).toList());
        rows.forEach(
                row -> lines.add(columns.stream().map(column -> column.of(row)).toList()));
        int[] widths = widths(lines, screen.width());
        lines.forEach(line -> screen.print(line(line, widths, screen)));
    }

    /** Prints the rows or, if there are none, the sentence. */
    public void print(Screen screen, List<? extends T> rows, String none) {
        if (rows.isEmpty()) {
            screen.print(none);
        } else {
            print(screen, rows);
        }
    }

    /** Prints the rows below an empty line; prints nothing if there are no rows. */
    public void printBelow(Screen screen, List<? extends T> rows) {
        if (!rows.isEmpty()) {
            screen.print("");
            print(screen, rows);
        }
    }

    private int[] widths(List<List<Object>> lines, int lineMax) {
        int[] widths = new int[columns.size()];
        for (List<Object> line : lines) {
            Arrays.setAll(
                    widths,
                    column -> Math.max(
                            widths[column], Lines.single(line.get(column)).length()));
        }
        int excess = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - lineMax;
        for (OptionalInt widest = widest(widths); excess > 0 && widest.isPresent(); widest = widest(widths)) {
            widths[widest.getAsInt()]--;
            excess--;
        }
        return widths;
    }

    // None if every column has its least width: a line that the terminal breaks is better than one without content.
    private OptionalInt widest(int[] widths) {
        return IntStream.range(0, widths.length)
                .filter(column ->
                        widths[column] > WIDTH_LEAST && columns.get(column).kind() != Kind.WHOLE)
                .reduce((one, other) -> widths[other] > widths[one] ? other : one);
    }

    private String line(List<Object> cells, int[] widths, Screen screen) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            Object cell = cells.get(column);
            String text = Lines.cut(Lines.single(cell), widths[column]);
            String space = " ".repeat(widths[column] - text.length());
            String shown = screen.paint(cell, text);
            boolean isNumber = columns.get(column).kind() == Kind.NUMBER;
            line.append(isNumber ? space + shown : shown + space).append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
