package catbox.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.util.pattern.PathPatternParser;
import outbox.admin.Operation;
import outbox.admin.Operation.Kind;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A constant of {@link Operation} is all that an operation needs to be a route, a command, a page with a button, an entry
 * of the OpenAPI document and a line of the reference page.
 */
class OperationRegistryTest {

    private static final String CLI = "catbox.cli.";
    private static final JsonNode DOCUMENT = JsonMapper.shared().valueToTree(new OpenApi().document());

    private static Map<String, CommandLine> commands = Map.of();

    /** The command line is a program of its own: its classes lie next to this module's. */
    @BeforeAll
    static void loadCommands() throws Exception {
        URL classes = root().resolve("apps/cli/target/classes/").toUri().toURL();
        ClassLoader loader = new URLClassLoader(new URL[] {classes}, OperationRegistryTest.class.getClassLoader());
        Object streams = first(loader.loadClass(CLI + "output.Screen$Streams"), System.in, System.out, System.err);
        Object screen = first(loader.loadClass(CLI + "output.Screen"), streams, 80, false, null);
        UnaryOperator<String> environment = name -> null;
        Object options = first(loader.loadClass(CLI + "connection.GlobalOptions"), environment, screen);
        Class<?> context = loader.loadClass(CLI + "command.CommandContext");
        CommandLine tree = (CommandLine) loader.loadClass(CLI + "command.CommandTree")
                .getMethod("of", context)
                .invoke(null, first(context, options, screen, InstantSource.system(), null, null));
        commands = tree.getSubcommands();
    }

    private static Object first(Class<?> type, Object... arguments) throws ReflectiveOperationException {
        return type.getConstructors()[0].newInstance(arguments);
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void isARoute(Operation operation) throws Exception {
        RequestMethod method = operation.kind() == Kind.SEE ? RequestMethod.GET : RequestMethod.POST;

        assertThat(maps("catbox.server.api.OperationController", method, "/api/sources/a/" + operation.id()))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void isACommandThatDescribesItself(Operation operation) {
        CommandLine command = commands.get(operation.id());

        assertThat(command).isNotNull();
        assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
    }

    /** The page itself, with its form and its button, is checked where the console is. */
    @ParameterizedTest
    @EnumSource(Operation.class)
    void isAPageWithAButton(Operation operation) throws Exception {
        String pages = "catbox.console.OperationPages";

        assertThat(maps(pages, RequestMethod.GET, "/operation/" + operation.id()))
                .isTrue();
        assertThat(maps(pages, RequestMethod.POST, "/do/" + operation.id())).isTrue();
        assertThat(template("operation")).contains("<button", "th:data-operation=\"${operation.id()}\"");
        assertThat(template("operations")).contains("th:each=\"operation : ${operations}\"", "operation.id()");
        assertThat(template("layout")).contains("shell.at('/operations')");
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void isInTheOpenApiDocument(Operation operation) {
        JsonNode path = DOCUMENT.get("paths").get("/api/sources/{source}/" + operation.id());

        assertThat(path).isNotNull();
        assertThat(path.findValue("summary").stringValue()).isEqualTo(operation.summary());
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void isALineOfTheReference(Operation operation) throws IOException {
        assertThat(Files.readAllLines(root().resolve("docs/operating/operations.md")))
                .anyMatch(
                        line -> line.startsWith("| `" + operation.id() + "` |") && line.contains(operation.summary()));
    }

    private static boolean maps(String controller, RequestMethod method, String path) throws ClassNotFoundException {
        return Arrays.stream(Class.forName(controller).getDeclaredMethods())
                .map(each -> AnnotatedElementUtils.findMergedAnnotation(each, RequestMapping.class))
                .filter(mapping ->
                        mapping != null && Arrays.asList(mapping.method()).contains(method))
                .flatMap(mapping -> Arrays.stream(mapping.path()))
                .anyMatch(pattern ->
                        PathPatternParser.defaultInstance.parse(pattern).matches(PathContainer.parsePath(path)));
    }

    private static String template(String name) throws IOException {
        try (InputStream page = OperationRegistryTest.class.getResourceAsStream("/catbox/console/" + name + ".html")) {
            assertThat(page).isNotNull();
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/operating"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
