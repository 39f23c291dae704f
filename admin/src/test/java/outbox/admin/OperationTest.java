package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.admin.Operation.Request;
import outbox.admin.view.EventView;
import outbox.admin.view.NodeView;
import outbox.admin.view.OperationResult;

/** The list of operations, the methods and the page about them say the same. */
class OperationTest {

    @Test
    void everyRequestIsOfOneOperation() {
        List<Class<?>> records = Stream.<Class<?>>of(Request.class, Request.Bulk.class)
                .flatMap(type -> Arrays.stream(type.getPermittedSubclasses()))
                .filter(Class::isRecord)
                .<Class<?>>map(type -> type)
                .toList();

        assertThat(Arrays.stream(Operation.values()).<Class<?>>map(Operation::requestType))
                .containsExactlyInAnyOrderElementsOf(records)
                .allSatisfy(type -> assertThat(type.getSimpleName().toUpperCase(Locale.ROOT))
                        .isIn(Arrays.stream(Operation.values()).map(Enum::name).toList()));
    }

    @Test
    void anOperationNamesItsResult() {
        assertThat(Operation.EVENT.resultType()).isEqualTo(EventView.class);
        assertThat(Operation.PURGE.resultType()).isEqualTo(OperationResult.class);
        assertThat(Operation.NODES.resultType()).hasToString("java.util.List<" + NodeView.class.getName() + ">");
    }

    @Test
    void anOperationIsFoundByItsWord() {
        for (Operation operation : Operation.values()) {
            assertThat(Operation.of(operation.id())).contains(operation);
        }
        assertThat(Operation.of("no such")).isEmpty();
    }

    @Test
    void whatDestroysNeedsAnAdmin() {
        assertThat(Operation.values())
                .filteredOn(operation -> operation.kind() == Operation.Kind.DESTROY)
                .extracting(Operation::role)
                .containsOnly(Role.ADMIN);
        assertThat(Operation.values())
                .filteredOn(operation -> operation.kind() == Operation.Kind.SEE)
                .extracting(Operation::role)
                .containsOnly(Role.VIEWER);
    }

    /** Writes the table into the page if the property {@code catbox.docs} is {@code write}. */
    @Test
    void thePageAboutOperationsHasARowForEach() throws IOException {
        String begin = "<!-- generated from Operation by OperationTest -->\n";
        String text = Files.readString(page());
        int from = text.indexOf(begin) + begin.length();
        String written = text.substring(0, from) + table() + text.substring(text.indexOf("<!-- end -->", from));
        if ("write".equals(System.getProperty("catbox.docs"))) {
            Files.writeString(page(), written);
        }

        assertThat(text)
                .describedAs("the table of operations; write it with -Dtest=OperationTest -Dcatbox.docs=write")
                .isEqualTo(written);
    }

    private static String table() {
        String head = "| operation | kind | role | what it does |\n| --- | --- | --- | --- |\n";
        return Arrays.stream(Operation.values()).map(OperationTest::row).collect(Collectors.joining("", head, ""));
    }

    private static String row(Operation operation) {
        return "| `" + operation.id() + "` | " + operation.kind().name().toLowerCase(Locale.ROOT) + " | "
                + operation.needs().replaceFirst("the (role|right) ", "") + " | " + operation.summary() + " |\n";
    }

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/operating"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/operating/operations.md");
    }
}
