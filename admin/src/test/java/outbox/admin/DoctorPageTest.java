package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import outbox.spi.operations.FindingCode;

/** The page about the doctor has a row for everything that can be found, and for nothing else. */
class DoctorPageTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (error|warning|warning, error|advice) \\|");

    @Test
    void hasARowForEveryFindingInTheirOrder() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/operating"))) {
            folder = folder.getParent();
        }
        String page = Files.readString(folder.resolve("docs/operating/doctor.md"));

        assertThat(ROW.matcher(page).results().map((MatchResult row) -> row.group(1)))
                .containsExactlyElementsOf(Arrays.stream(FindingCode.values())
                        .map(FindingCode::label)
                        .toList());
    }
}
