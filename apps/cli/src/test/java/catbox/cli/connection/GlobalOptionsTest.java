package catbox.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.cli.output.Screen;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.spi.Secret;
import picocli.CommandLine;

class GlobalOptionsTest {

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private final List<String> questions = new ArrayList<>();
    private Screen.@Nullable Keyboard keyboard;

    private Target read(String... arguments) {
        Screen.Streams streams = new Screen.Streams(InputStream.nullInputStream(), System.out, System.err);
        Screen screen = new Screen(streams, 80, false, keyboard);
        return CommandLine.populateCommand(new GlobalOptions(environment::get, screen), arguments)
                .target();
    }

    @Test
    void namesTheServerOnThisMachineByDefault() {
        assertThat(((Target.Server) read()).url()).hasToString("http://localhost:8081");
    }

    @Test
    void readsTheEnvironment() {
        environment.putAll(
                Map.of("CATBOX_URL", "https://catbox.example/ops/", "CATBOX_TOKEN", "t", "CATBOX_SOURCE", "orders"));

        assertThat(read()).isInstanceOfSatisfying(Target.Server.class, server -> {
            assertThat(server.url()).hasToString("https://catbox.example/ops");
            assertThat(server.token().map(Secret::reveal)).contains("t");
            assertThat(server.source()).contains("orders");
        });
    }

    @Test
    void optionsWinOverTheEnvironment() {
        environment.put("CATBOX_DATABASE", "jdbc:h2:mem:a");
        environment.put("CATBOX_TABLE", "billing.outbox_event");

        assertThat(read("--url", "http://one:1")).isInstanceOf(Target.Server.class);
        assertThat(read())
                .isInstanceOfSatisfying(
                        Target.Database.class, jdbc -> assertThat(jdbc.table()).isEqualTo("billing.outbox_event"));
    }

    @Test
    void refusesToGuessBetweenTwo() {
        environment.put("CATBOX_DATABASE", "jdbc:h2:mem:a");
        environment.put("CATBOX_URL", "http://one:1");

        assertThatThrownBy(() -> read()).hasMessageContaining("CATBOX_URL and CATBOX_DATABASE");
    }

    @Test
    void readsAPasswordFromAFileOrTheEnvironment() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "from the file\n");
        environment.put("CATBOX_PASSWORD", "from the environment");

        assertThat(password("--database", "jdbc:postgresql://h/d", "--user", "u", "--password-file", file.toString()))
                .contains("from the file");
        assertThat(password("--database", "jdbc:postgresql://h/d", "--user", "u"))
                .contains("from the environment");
        assertThatThrownBy(() -> read(
                        "--database",
                        "jdbc:postgresql://h/d",
                        "--user",
                        "u",
                        "--password-file",
                        folder.resolve("missing").toString()))
                .hasMessageContaining("--password-file names a file that cannot be read");
    }

    @Test
    void asksForAMissingPasswordOnATerminal() {
        assertThat(password("--database", "jdbc:postgresql://h/d", "--user", "u"))
                .isEmpty();

        keyboard = new OneAnswer(questions, "typed");
        assertThat(password("--database", "jdbc:postgresql://h/d", "--user", "u"))
                .contains("typed");
        assertThat(password("--database", "jdbc:postgresql://h/d")).isEmpty();
        assertThat(questions).containsExactly("Password of u: ");
    }

    @Test
    void saysWhichDatabasesThereAre() {
        assertThatThrownBy(() -> read("--database", "jdbc:oracle:thin:@h"))
                .hasMessageContaining("--database must begin with jdbc:postgresql:, jdbc:mysql:");
        assertThatThrownBy(() -> read("--url", "localhost:8081"))
                .hasMessageContaining("--url must be the address of a server, such as http://localhost:8081");
        assertThat(read("--database", "mongodb://h/d"))
                .isInstanceOfSatisfying(
                        Target.Database.class,
                        database -> assertThat(database.isMongo()).isTrue());
    }

    @Test
    void aDatabaseIsShownWithoutSecrets() {
        assertThat(((Target.Database) read("--database", "jdbc:postgresql://u:p@h/d?password=s")).shown())
                .isEqualTo("jdbc:postgresql://h/d");
    }

    private Optional<String> password(String... arguments) {
        return ((Target.Database) read(arguments)).password().map(Secret::reveal);
    }

    private record OneAnswer(List<String> questions, String answer) implements Screen.Keyboard {

        @Override
        public Optional<String> ask(String question, boolean isSecret) {
            assertThat(isSecret).describedAs("whether a password is hidden").isTrue();
            questions.add(question);
            return Optional.of(answer);
        }
    }
}
