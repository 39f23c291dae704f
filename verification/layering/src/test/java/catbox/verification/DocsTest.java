package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every Java snippet in the docs is a piece of code that the build compiles, and every link leads somewhere. */
class DocsTest {

    private static final Path ROOT = root();
    private static final Pattern SNIPPET =
            Pattern.compile("(?m)^<!-- from: (\\S+)#(\\S+) -->\\R```java\\R(.*?)^```$", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

    @Test
    void snippetsAreTheCodeTheyComeFrom() throws IOException {
        for (Path page : pages()) {
            Matcher snippet = SNIPPET.matcher(Files.readString(page));
            while (snippet.find()) {
                assertThat(snippet.group(3))
                        .describedAs("%s, from %s#%s", page, snippet.group(1), snippet.group(2))
                        .isEqualTo(tagged(ROOT.resolve(snippet.group(1)), snippet.group(2)));
            }
        }
    }

    @Test
    void everyJavaSnippetSaysWhereItComesFrom() throws IOException {
        for (Path page : pages()) {
            String text = Files.readString(page);
            assertThat(SNIPPET.matcher(text).results().count())
                    .describedAs("snippets of %s with a source, of all its Java snippets", page)
                    .isEqualTo(Pattern.compile("(?m)^```java$")
                            .matcher(text)
                            .results()
                            .count());
        }
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                assertThat(page.resolveSibling(link.group(1)))
                        .describedAs("link in %s", page)
                        .exists();
            }
        }
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThan(150);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(docs, top)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** The lines between the tags, moved to the left margin; closing braces that the tag cut off stay off. */
    static String tagged(Path source, String tag) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(source)) {
            if (line.strip().equals("// tag::" + tag + "[]")) {
                inside = true;
            } else if (line.strip().equals("// end::" + tag + "[]")) {
                inside = false;
            } else if (inside) {
                lines.add(line);
            }
        }
        assertThat(lines).describedAs("tag %s in %s", tag, source).isNotEmpty();
        int margin = lines.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        StringBuilder text = new StringBuilder();
        lines.forEach(line ->
                text.append(line.isBlank() ? "" : line.substring(margin)).append('\n'));
        return text.toString();
    }

    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("catbox"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
