package catbox.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The documentation names every setting that there is, and no other; and every file in it is one that can be read. */
class ServerDocsTest {

    private static final Path DOCS = Path.of("../../docs");
    private static final String UNKNOWN = "no-such-setting";
    private static final Pattern KNOWN = Pattern.compile("unknown settings \\[" + UNKNOWN + "]; there are \\[(.*)]");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (set|tune|leave) \\| ");
    private static final Pattern YAML = Pattern.compile("(?ms)^(?:<!-- from: (\\S+) -->\\R)?```yaml\\R(.*?)^```$");

    /** With one more setting in each section. */
    private static final String FILE = """
            server: { X: 1 }
            access: { X: 1 }
            logging: { X: 1 }
            node: { X: 1 }
            sources:
              a: { url: 'jdbc:h2:mem:a', X: 1 }
            destinations:
              b: { kind: http, base-url: 'https://example.com', X: 1 }
            routes:
              - { name: c, to: b, X: 1 }
            """.replace("X", UNKNOWN);

    @ParameterizedTest
    @CsvSource({"server, server:", "logging, logging:", "node, node:", "sources, source a:", "routes, route c:"})
    void everySettingIsDocumentedAndNoOther(String section, String owner) throws IOException {
        assertThat(documented(section)).isEqualTo(known(owner));
    }

    @Test
    void everySettingOfAccessIsDocumentedBesideTheLists() throws IOException {
        Set<String> settings = known("access:");
        settings.addAll(Set.of("users", "tokens"));

        assertThat(documented("access")).isEqualTo(settings);
    }

    @Test
    void everySettingOfAllDestinationsIsDocumented() throws IOException {
        assertThat(documented("destinations"))
                .isSubsetOf(known("destination b:"))
                .contains("kind", "paused");
        assertThat(known("destination b:"))
                .filteredOn(setting -> setting.startsWith("breaker") || setting.startsWith("events-per"))
                .isSubsetOf(documented("destinations"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"server.md", "coming-from.md"})
    void everyFileThatIsShownCanBeRead(String page) throws IOException {
        Matcher block = YAML.matcher(Files.readString(DOCS.resolve(page)));
        int blocks = 0;
        while (block.find()) {
            blocks++;
            ServerConfig config = new ServerConfigReader(
                            name -> name.endsWith("USER") || name.endsWith("PASSWORD") ? "secret" : null)
                    .read(page, block.group(2));
            assertThat(config.sources()).isNotEmpty();
            if (block.group(1) != null) {
                assertThat(Files.readString(Path.of("../..").resolve(block.group(1))))
                        .endsWith(block.group(2));
            }
        }
        assertThat(blocks).isPositive();
    }

    private static Set<String> documented(String section) throws IOException {
        String page = Files.readString(DOCS.resolve("server.md"));
        int from = page.indexOf("\n### " + section + "\n");
        assertThat(from).describedAs("a heading ### %s", section).isPositive();
        int to = Math.min(end(page, "\n### ", from), end(page, "\n## ", from));
        Set<String> settings = new LinkedHashSet<>();
        Matcher row = ROW.matcher(page.substring(from, to));
        while (row.find()) {
            assertThat(settings.add(row.group(1)))
                    .describedAs("%s once", row.group(1))
                    .isTrue();
        }
        return settings;
    }

    private static int end(String page, String heading, int from) {
        int at = page.indexOf(heading, from + 1);
        return at < 0 ? page.length() : at;
    }

    private static Set<String> known(String owner) {
        WrongConfigException wrong = catchThrowableOfType(
                WrongConfigException.class, () -> new ServerConfigReader(name -> null).read("catbox.yaml", FILE));
        String error = wrong.errors().stream()
                .filter(each -> each.contains(owner))
                .findFirst()
                .orElseThrow();
        Matcher known = KNOWN.matcher(error);
        assertThat(known.find()).describedAs(error).isTrue();
        return new TreeSet<>(Arrays.asList(known.group(1).split(", ")));
    }
}
