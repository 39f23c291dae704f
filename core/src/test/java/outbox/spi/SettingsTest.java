package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class SettingsTest {

    private enum Colour {
        DARK_RED,
        BLUE
    }

    private static Settings of(String... namesAndValues) {
        Map<String, String> values = new HashMap<>();
        for (int n = 0; n < namesAndValues.length; n += 2) {
            values.put(namesAndValues[n], namesAndValues[n + 1]);
        }
        return new Settings("destination orders", "orders", values, Map.of("SECRET", "from-env", "EMPTY", "")::get);
    }

    @Test
    void takesZeroForATimeWhereThatIsAllowed() {
        Settings settings = of("none", "0", "some", "5s");

        assertThat(settings.durationOrZero("none", Duration.ofSeconds(1))).isZero();
        assertThat(settings.durationOrZero("some", Duration.ZERO)).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.durationOrZero("missing", Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
        assertThatThrownBy(() -> settings.duration("none", Duration.ZERO)).hasMessageContaining("not zero");
    }

    @Test
    void saysWhoseSettingsARecordComplainsOf() {
        assertThatThrownBy(() -> of().checked(() -> {
                    throw new IllegalArgumentException("weight must be less");
                }))
                .hasMessage("destination orders: weight must be less");
        assertThatThrownBy(() -> of().checked(() -> of().required("path")))
                .hasMessage("destination orders: setting path is missing");
        assertThat(of().<String>checked(() -> "made")).isEqualTo("made");
    }

    @Test
    void readsValuesWithTheirTypes() {
        Settings settings = of(
                "text",
                " a ",
                "number",
                "1_000",
                "flag",
                "TRUE",
                "colour",
                "dark_red",
                "list",
                "a, b,,c ",
                "blank",
                " ");

        assertThat(settings.name()).isEqualTo("orders");
        assertThat(settings.text("text")).contains("a");
        assertThat(settings.required("text")).isEqualTo("a");
        assertThat(settings.text("blank")).isEmpty();
        assertThat(settings.number("number", 1, 0, 1_000)).isEqualTo(1_000);
        assertThat(settings.flag("flag", false)).isTrue();
        assertThat(settings.oneOf("colour", Colour.class, Colour.BLUE)).isEqualTo(Colour.DARK_RED);
        assertThat(settings.list("list")).containsExactly("a", "b", "c");
        assertThat(settings.parsed("number", String::length)).contains(5);
    }

    @Test
    void hasDefaultsForWhatIsNotSet() {
        Settings settings = of();

        assertThat(settings.text("x")).isEmpty();
        assertThat(settings.number("x", 7, 8, 9)).isEqualTo(7);
        assertThat(settings.flag("x", true)).isTrue();
        assertThat(settings.duration("x", Duration.ofDays(1))).isEqualTo(Duration.ofDays(1));
        assertThat(settings.oneOf("x", Colour.class, Colour.BLUE)).isEqualTo(Colour.BLUE);
        assertThat(settings.list("x")).isEmpty();
        assertThat(settings.parsed("x", String::length)).isEmpty();
        assertThat(settings.secret("x")).isEmpty();
        assertThat(settings.group("x")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "10s, PT10S", "10 s, PT10S", "5m, PT5M", "1h, PT1H", "7d, PT168H", "PT1M30S, PT1M30S"})
    void readsTimes(String text, Duration duration) {
        assertThat(of("x", text).duration("x", Duration.ZERO)).isEqualTo(duration);
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("11", s -> s.number("x", 1, 0, 10), "whole number from 0 to 10"),
                mistake("-1", s -> s.number("x", 1, 0, 10), "whole number from 0 to 10"),
                mistake("1.5", s -> s.number("x", 1, 0, 10), "whole number from 0 to 10"),
                mistake("99999999999", s -> s.number("x", 1, 0, 10), "whole number from 0 to 10"),
                mistake("yes", s -> s.flag("x", true), "true or false"),
                mistake("10", s -> s.duration("x", Duration.ZERO), "500ms, 10s, 5m, 1h or PT10S"),
                mistake("0s", s -> s.duration("x", Duration.ZERO), "not zero"),
                mistake("PT-1S", s -> s.duration("x", Duration.ZERO), "not zero"),
                mistake("green", s -> s.oneOf("x", Colour.class, Colour.BLUE), "[dark-red, blue]"),
                mistake("odd", s -> s.parsed("x", text -> refuse("must be even, was \"" + text + "\"")), "even"));
    }

    private static Arguments mistake(String value, Function<Settings, Object> reader, String allowed) {
        return Arguments.of(value, reader, allowed);
    }

    private static Object refuse(String complaint) {
        throw new IllegalArgumentException(complaint);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aComplaintNamesOwnerSettingValueAndWhatIsAllowed(
            String value, Function<Settings, Object> reader, String allowed) {
        assertThatThrownBy(() -> reader.apply(of("x", value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("destination orders: setting x ")
                .hasMessageContaining(allowed)
                .hasMessageContaining("\"" + value + "\"");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> of().required("url")).hasMessage("destination orders: setting url is missing");
    }

    @Test
    void refusesWhatNobodyAskedFor() {
        Settings settings = of("url", "a", "ulr", "b", "header.a", "1", "other.a", "2");
        settings.text("url");
        settings.secret("token");
        settings.group("header");

        assertThatThrownBy(settings::requireAllKnown)
                .hasMessageStartingWith("destination orders: unknown settings [")
                .hasMessageContaining("ulr")
                .hasMessageContaining("other.a")
                .hasMessageContaining("there are [header.*, token, url]");
        settings.group("other");
        settings.text("ulr");
        settings.requireAllKnown();
    }

    // ---- secrets -------------------------------------------------------------------------------------------------

    @Test
    void secretsSayWhereTheyAre(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "from-file\n");
        Settings settings = of("a", "plain", "b", "env:SECRET", "c", "file:" + file, "g.x", "env:SECRET", "g.y", "z");

        assertThat(settings.secret("a")).contains(new Secret("plain"));
        assertThat(settings.secret("b")).contains(new Secret("from-env"));
        assertThat(settings.secret("c")).contains(new Secret("from-file"));
        assertThat(settings.group("g")).isEqualTo(Map.of("x", "from-env", "y", "z"));
    }

    @Test
    void saysWhereASecretWasNotFound(@TempDir Path folder) throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), " \n");
        for (List<String> given : List.of(
                List.of("env:MISSING", "environment variable MISSING"),
                List.of("env:EMPTY", "environment variable EMPTY"),
                List.of("file:" + folder.resolve("none"), "cannot be read"),
                List.of("file:" + empty, "is empty"),
                List.of("file:\u0000", "cannot be read"))) {
            assertThatThrownBy(() -> of("token", given.get(0)).secret("token"))
                    .hasMessageStartingWith("destination orders: setting token refers to")
                    .hasMessageContaining(given.get(1));
        }
    }

    @Test
    void secretsAreShownByNoComplaint() {
        Settings settings = of("token", "s3cret", "header.a", "s3cret");
        assertThat(settings.secret("token").toString()).doesNotContain("s3cret");
        settings.group("header");

        assertThat(settings.wrong("token", "is refused")).hasMessage("destination orders: setting token is refused");
        assertThatThrownBy(() -> of("token", "s3cret", "x", "y").requireAllKnown())
                .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("s3cret"));
    }
}
