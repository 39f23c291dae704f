package catbox.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import catbox.cli.output.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.admin.Operation;
import picocli.CommandLine;

/** Every operation is a command of its name, and every command is documented and can be completed. */
class CommandTreeTest {

    private final CommandLine tree = CommandTree.of(new TestTerminal()
            .context(new Screen(new Screen.Streams(System.in, System.out, System.err), 80, false, null)));

    @ParameterizedTest
    @EnumSource(Operation.class)
    void everyOperationIsACommand(Operation operation) {
        String command = operation.id();
        assertThat(tree.getSubcommands()).containsKey(command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "events",
                "event",
                "dead list",
                "dead show",
                "dead replay",
                "dead edit",
                "dead discard",
                "key",
                "nodes",
                "pause",
                "resume",
                "repartition",
                "routes test",
                "schema print",
                "schema check",
                "schema migrate",
                "doctor",
                "password",
                "token",
                "completion",
                "version",
                "help"
            })
    void whatIsPromisedIsThere(String command) {
        CommandLine found = tree;
        for (String word : command.split(" ", -1)) {
            assertThat(found.getSubcommands()).containsKey(word);
            found = found.getSubcommands().get(word);
        }
        assertThat(found.getCommandSpec().usageMessage().description())
                .describedAs("what %s says of itself", command)
                .isNotEmpty();
    }

    @Test
    void everyCommandIsDocumented() throws IOException {
        // Commands that follow from their operation are in its table.
        String page = Files.readString(Path.of("../../docs/operating/command-line.md"))
                + Files.readString(Path.of("../../docs/operating/operations.md"));
        for (String command : commands(tree, "")) {
            assertThat(page).describedAs("the page about the command line").contains("`" + command);
        }
    }

    @Test
    void theLauncherListsThem() throws IOException {
        String launcher = Files.readString(Path.of("../../catbox"));
        String help = launcher.substring(launcher.indexOf("<<'HELP'"), launcher.indexOf("\nHELP\n"));
        Map<String, CommandLine> described = new LinkedHashMap<>(shown(tree));
        described.values().removeIf(command -> command.getCommandSpec().userObject() instanceof OperationCommand);
        for (String command : described.keySet()) {
            assertThat(help).describedAs("what ./catbox help says").containsPattern("\\b" + command + "\\b");
        }
    }

    @Test
    void theCompletionScriptIsOneForBash(@TempDir Path folder) throws Exception {
        TestTerminal.Result result = new TestTerminal().run("completion");
        Path script = Files.writeString(folder.resolve("completion"), result.out());
        Process bash = new ProcessBuilder("bash", "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue())
                .describedAs("%s", new String(bash.getInputStream().readAllBytes(), UTF_8))
                .isZero();
        assertThat(result.out()).contains("overview", "discard", "--older-than");
    }

    // Old names are hidden.
    private static Map<String, CommandLine> shown(CommandLine line) {
        Map<String, CommandLine> shown = new LinkedHashMap<>(line.getSubcommands());
        shown.values()
                .removeIf(command -> command.getCommandSpec().usageMessage().hidden());
        return shown;
    }

    private static List<String> commands(CommandLine line, String before) {
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, CommandLine> command : shown(line).entrySet()) {
            found.add(before + command.getKey());
            found.addAll(commands(command.getValue(), before + command.getKey() + " "));
        }
        return found;
    }
}
