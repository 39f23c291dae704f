package catbox.cli.place;

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
import outbox.jdbc.TableNames;
import outbox.util.Secret;

class PlaceReaderTest {

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private final List<String> questions = new ArrayList<>();
    private Screen.@Nullable Keyboard keyboard;

    private record Typed(
            @Nullable String url,
            @Nullable String token,
            @Nullable Path tokenFile,
            @Nullable String database,
            @Nullable String user,
            @Nullable Path passwordFile,
            @Nullable String table,
            @Nullable String source)
            implements PlaceReader.Given {

        static final Typed NOTHING = new Typed(null, null, null, null, null, null, null, null);

        static Typed url(String url) {
            return new Typed(url, null, null, null, null, null, null, null);
        }

        static Typed database(String database, @Nullable String user, @Nullable Path passwordFile) {
            return new Typed(null, null, null, database, user, passwordFile, null, null);
        }
    }

    private Place read(Typed typed) {
        Screen.Streams streams = new Screen.Streams(InputStream.nullInputStream(), System.out, System.err);
        return new PlaceReader(environment::get, new Screen(streams, 80, false, keyboard)).read(typed);
    }

    @Test
    void looksForAServerOnThisMachineByDefault() {
        assertThat(((Place.Server) read(Typed.NOTHING)).url()).hasToString("http://localhost:8081");
    }

    @Test
    void takesWhatTheEnvironmentSays() {
        environment.putAll(
                Map.of("CATBOX_URL", "https://catbox.example/ops/", "CATBOX_TOKEN", "t", "CATBOX_SOURCE", "orders"));

        assertThat(read(Typed.NOTHING)).isInstanceOfSatisfying(Place.Server.class, server -> {
            assertThat(server.url()).hasToString("https://catbox.example/ops");
            assertThat(server.token().map(Secret::reveal)).contains("t");
            assertThat(server.source()).contains("orders");
        });
    }

    @Test
    void optionsWinOverTheEnvironment() {
        environment.put("CATBOX_DATABASE", "jdbc:h2:mem:a");
        environment.put("CATBOX_TABLE", "billing.outbox_event");

        assertThat(read(Typed.url("http://one:1"))).isInstanceOf(Place.Server.class);
        assertThat(read(Typed.NOTHING))
                .isInstanceOfSatisfying(
                        Place.Jdbc.class,
                        jdbc -> assertThat(jdbc.tables()).isEqualTo(new TableNames("billing.outbox_event")));
    }

    @Test
    void refusesToGuessBetweenTwo() {
        environment.put("CATBOX_DATABASE", "jdbc:h2:mem:a");
        environment.put("CATBOX_URL", "http://one:1");

        assertThatThrownBy(() -> read(Typed.NOTHING)).hasMessageContaining("CATBOX_URL and CATBOX_DATABASE");
    }

    @Test
    void readsAPasswordFromAFileOrTheEnvironment() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "from the file\n");
        environment.put("CATBOX_PASSWORD", "from the environment");

        assertThat(password(Typed.database("jdbc:postgresql://h/d", "u", file))).contains("from the file");
        assertThat(password(Typed.database("jdbc:postgresql://h/d", "u", null))).contains("from the environment");
        assertThatThrownBy(() -> read(Typed.database("jdbc:postgresql://h/d", "u", folder.resolve("missing"))))
                .hasMessageContaining("--password-file names a file that cannot be read");
    }

    @Test
    void asksForAPasswordThatIsMissingIfThereIsSomebody() {
        assertThat(password(Typed.database("jdbc:postgresql://h/d", "u", null))).isEmpty();

        keyboard = new OneAnswer(questions, "typed");
        assertThat(password(Typed.database("jdbc:postgresql://h/d", "u", null))).contains("typed");
        assertThat(password(Typed.database("jdbc:postgresql://h/d", null, null)))
                .isEmpty();
        assertThat(questions).containsExactly("Password of u: ");
    }

    @Test
    void saysWhichDatabasesThereAre() {
        assertThatThrownBy(() -> read(Typed.database("jdbc:oracle:thin:@h", null, null)))
                .hasMessageContaining("--database must begin with jdbc:postgresql:, jdbc:mysql:");
        assertThatThrownBy(() -> read(Typed.url("localhost:8081")))
                .hasMessageContaining("--url must be the address of a server, such as http://localhost:8081");
        assertThat(read(Typed.database("mongodb://h/d", null, null))).isInstanceOf(Place.Mongo.class);
    }

    @Test
    void aPlaceIsShownWithoutSecrets() {
        assertThat(((Place.Jdbc) read(Typed.database("jdbc:postgresql://u:p@h/d?password=s", null, null))).shown())
                .isEqualTo("jdbc:postgresql://h/d");
    }

    private Optional<String> password(Typed typed) {
        return ((Place.Jdbc) read(typed)).password().map(Secret::reveal);
    }

    private record OneAnswer(List<String> questions, String answer) implements Screen.Keyboard {

        @Override
        public Optional<String> line(String question) {
            throw new AssertionError("a password is not to be seen");
        }

        @Override
        public Optional<String> secret(String question) {
            questions.add(question);
            return Optional.of(answer);
        }
    }
}
