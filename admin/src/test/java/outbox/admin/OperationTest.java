package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
            assertThat(Operation.of(operation.word())).contains(operation);
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

    @Test
    void thePageAboutOperationsHasARowForEach() throws IOException {
        List<String> rows = Files.readAllLines(page()).stream()
                .filter(line -> line.startsWith("| `"))
                .map(OperationTest::firstThree)
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(Operation.values())
                        .map(OperationTest::row)
                        .toList());
    }

    private static String row(Operation operation) {
        return "| `" + operation.word() + "` | " + operation.kind().name().toLowerCase(Locale.ROOT) + " | "
                + (operation == Operation.REVEAL
                        ? "payload-read"
                        : operation.role().name().toLowerCase(Locale.ROOT))
                + " |";
    }

    private static String firstThree(String line) {
        String[] cells = line.split("\\|", -1);
        return "|" + cells[1] + "|" + cells[2] + "|" + cells[3] + "|";
    }

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/operating"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/operating/operations.md");
    }
}
