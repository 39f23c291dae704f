package outbox.relay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.model.Delivery;
import outbox.relay.DestinationConfig;
import outbox.spi.Destination;
import outbox.testkit.World;

class DestinationSettingsTest {

    @TempDir
    private Path folder;

    @Test
    void hasTheDefaultsOfTheRelay() {
        DestinationSettings plan = DestinationSettings.read("archive", Map.of("kind", "file"));

        assertThat(plan.name()).isEqualTo("archive");
        assertThat(plan.kind()).isEqualTo("file");
        assertThat(plan.treatment()).isEqualTo(DestinationConfig.defaults());
        assertThat(plan.paused()).isFalse();
    }

    @Test
    void readsItsSettingsAndOpensTheTransport() throws IOException {
        Path file = folder.resolve("events.jsonl");
        DestinationSettings plan = DestinationSettings.read(
                "archive",
                Map.of(
                        "kind",
                        "file",
                        "path",
                        file.toString(),
                        "deadline",
                        "5s",
                        "events-per-second-max",
                        "100",
                        "breaker-failures",
                        "0",
                        "breaker-open-time",
                        "2s",
                        "breaker-open-time-max",
                        "9s",
                        "paused",
                        "true"));

        assertThat(plan.paused()).isTrue();
        assertThat(plan.treatment())
                .isEqualTo(new DestinationConfig(
                        Duration.ofSeconds(5), 100, 0, Duration.ofSeconds(2), Duration.ofSeconds(9)));
        try (Destination destination = plan.open("orders")) {
            destination.deliver(List.of(new Delivery(World.event(), 1)), (index, outcome) -> {});
        }
        assertThat(Files.readAllLines(file)).hasSize(1);
    }

    /** Of two sources, or a former one and its successor. */
    @Test
    void opensAFileThatAnotherWritesToWithoutWritingOverIt() throws IOException {
        Path file = folder.resolve("events.jsonl");
        DestinationSettings plan = DestinationSettings.read("archive", Map.of("kind", "file", "path", file.toString()));
        try (Destination one = plan.open("orders");
                Destination other = plan.open("invoices")) {
            for (Destination writer : List.of(one, other, one, other)) {
                writer.deliver(List.of(new Delivery(World.event(), 1)), (index, outcome) -> {});
            }
        }
        assertThat(Files.readAllLines(file)).hasSize(4).allMatch(line -> line.endsWith("}"));
    }

    @Test
    void namesWhatIsWrongAndWhatIsAllowed() {
        assertThatThrownBy(() -> DestinationSettings.read("archive", Map.of()))
                .hasMessage("destination archive: setting kind is missing");
        assertThatThrownBy(() -> DestinationSettings.read("archive", Map.of("kind", "pigeon"))
                        .open(""))
                .hasMessageContaining(
                        "destination archive: setting kind is \"pigeon\", for which there is no transport")
                .hasMessageContaining("there are [file");
        assertThatThrownBy(() -> DestinationSettings.read("archive", Map.of("kind", "file"))
                        .open(""))
                .hasMessage("destination archive: setting path is missing");
        assertThatThrownBy(() -> DestinationSettings.read(
                                "archive", Map.of("kind", "file", "path", folder + "/missing/file"))
                        .open(""))
                .hasMessageContaining("destination archive: setting path names a file that cannot be written");
        assertThatThrownBy(() -> DestinationSettings.read(
                        "archive", Map.of("kind", "file", "breaker-open-time", "9s", "breaker-open-time-max", "1s")))
                .hasMessage("destination archive: breakerRestMax must be at least breakerRest (PT9S), was PT1S");
    }

    @ParameterizedTest
    @CsvSource({"breaker-rest, breaker-open-time", "breaker-rest-max, breaker-open-time-max"})
    void refusesAFormerNameAndNamesTheNewOne(String former, String name) {
        assertThatThrownBy(() -> DestinationSettings.read("archive", Map.of("kind", "file", former, "9s")))
                .hasMessage("destination archive: setting " + former + " has been renamed; set " + name + " instead");
    }

    @Test
    void namesEverySettingWhenOneIsUnknown() {
        Map<String, String> values = Map.of("kind", "file", "path", folder + "/events", "dead-line", "5s");

        assertThatThrownBy(() -> DestinationSettings.read("archive", values).open(""))
                .hasMessageContaining("destination archive: unknown settings [dead-line]; there are ")
                .hasMessageContaining("deadline")
                .hasMessageContaining("path");
    }

    @Test
    void showsNoSecretAndIsEqualWithTheSameSettings() {
        DestinationSettings plan = DestinationSettings.read("api", Map.of("kind", "http", "token", "s3cret"));

        assertThat(plan.toString()).doesNotContain("s3cret");
        assertThat(plan).isEqualTo(DestinationSettings.read("api", Map.of("kind", "http", "token", "s3cret")));
        assertThat(plan).isNotEqualTo(DestinationSettings.read("api", Map.of("kind", "http", "token", "other")));
    }
}
