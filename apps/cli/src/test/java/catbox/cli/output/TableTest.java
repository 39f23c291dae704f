package catbox.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TableTest {

    private static String printed(Table table, int width) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        table.print(new Screen(new Screen.Streams(InputStream.nullInputStream(), stream, stream), width, false, null));
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Table table() {
        return new Table("=id", ">count", "text")
                .row("01JGGZ3Q8PAAAAAAAAAAAAAAAA", 12, "a text that is rather long")
                .row("b", 3, null);
    }

    @Test
    void columnsAreAsWideAsWhatIsInThem() {
        assertThat(printed(table(), Screen.WIDTH_ANY)).isEqualTo("""
                id                          count  text
                01JGGZ3Q8PAAAAAAAAAAAAAAAA     12  a text that is rather long
                b                               3  -
                """);
    }

    @Test
    void theWidestIsCutToTheLineAndIdsNever() {
        assertThat(printed(table(), 50)).isEqualTo("""
                id                          count  text
                01JGGZ3Q8PAAAAAAAAAAAAAAAA     12  a text that is…
                b                               3  -
                """);
        assertThat(printed(table(), 20)).contains("01JGGZ3Q8PAAAAAAAAAAAAAAAA     12  a tex…\n");
    }

    @Test
    void whatIsStoredCannotMoveTheCursor() {
        assertThat(printed(new Table("text").row("red \u001b[31m\u0007\r\n  next"), Screen.WIDTH_ANY))
                .isEqualTo("text\nred ?[31m? next\n");
    }

    @Test
    void aRowHasAsManyCellsAsThereAreColumns() {
        assertThatThrownBy(() -> new Table("one", "two").row("1")).hasMessage("a row has 2 cells, had [1]");
    }
}
