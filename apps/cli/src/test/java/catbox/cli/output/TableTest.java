package catbox.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableTest {

    private static <T> String printed(Table<T> table, List<T> rows, int width) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Screen.Streams streams = new Screen.Streams(InputStream.nullInputStream(), stream, stream);
        table.print(new Screen(streams, width, false, null), rows);
        return out.toString(StandardCharsets.UTF_8);
    }

    private record Row(String id, int count, @Nullable String text) {}

    private static String printed(int width) {
        Table<Row> table = new Table<Row>()
                .whole("id", Row::id)
                .number("count", Row::count)
                .text("text", Row::text);
        Row first = new Row("01JGGZ3Q8PAAAAAAAAAAAAAAAA", 12, "a text that is rather long");
        return printed(table, List.of(first, new Row("b", 3, null)), width);
    }

    @Test
    void columnsAreAsWideAsWhatIsInThem() {
        assertThat(printed(Screen.WIDTH_ANY)).isEqualTo("""
                id                          count  text
                01JGGZ3Q8PAAAAAAAAAAAAAAAA     12  a text that is rather long
                b                               3  -
                """);
    }

    @Test
    void theWidestIsCutToTheLineAndIdsNever() {
        assertThat(printed(50)).isEqualTo("""
                id                          count  text
                01JGGZ3Q8PAAAAAAAAAAAAAAAA     12  a text that is…
                b                               3  -
                """);
        assertThat(printed(20)).contains("01JGGZ3Q8PAAAAAAAAAAAAAAAA     12  a tex…\n");
    }

    @Test
    void whatIsStoredCannotMoveTheCursor() {
        assertThat(printed(
                        new Table<String>().text("text", text -> text),
                        List.of("red \u001b[31m\u0007\r\n  next"),
                        Screen.WIDTH_ANY))
                .isEqualTo("text\nred ?[31m? next\n");
    }
}
