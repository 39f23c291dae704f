package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.admin.Operation.Request;
import outbox.admin.view.KeyView;
import outbox.admin.view.Overview;
import outbox.admin.view.RouteView;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause;

/** A request becomes texts and is read from them. */
class ParametersTest {

    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    private static final EventFilter FILTER =
            new EventFilter(State.DEAD, "A&B", "k", "7", "acme", "HTTP *", FROM, FROM.plusSeconds(1));

    static Stream<Record> requests() {
        return Stream.of(
                new Request.Overview(),
                new Request.Events(new EventQuery(FILTER, "c0", 20)),
                new Request.Event("E1"),
                new Request.Routes(null),
                new Request.Routes(
                        new RouteView.Sample("T", null, "7", null, Map.of("a", "1=1", "b", "", "c", "1\n2=3"))),
                new Request.Audit(new AuditQuery(9L, 5)),
                new Request.Replay(new Selection.Ids(List.of("A", "B")), true, null, "E2"),
                new Request.Discard(new Selection.Matching(FILTER), false, "old", null),
                new Request.Pause(new Pause.Subject(Pause.Kind.SOURCE, ""), "upgrade"),
                new Request.Resend(FROM, FROM.plusSeconds(1), null, "archive", "E1", false),
                new Request.Edit("A", new EventEdit("{}", Map.of("h", "v")), true, "typo"),
                new Request.Rebalance(null),
                new Request.Rebalance(12),
                new Request.Purge(Duration.ofDays(1), false));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void readsWhatItWrites(Record request) {
        Map<String, List<String>> texts = Parameters.write(request);

        assertThat(Parameters.<Record>read(type(request), texts)).isEqualTo(request);
        assertThat(Parameters.of(request.getClass()))
                .extracting(Parameters.Parameter::name)
                .containsAll(texts.keySet());
    }

    @Test
    void anIdThatWasNotFilledInLeavesTheChoiceToTheFilter() {
        Map<String, List<String>> both = Map.of("id", List.of(""), "type", List.of("A"));

        assertThat(Parameters.read(Request.Replay.class, both).selection()).isInstanceOf(Selection.Matching.class);
        assertThat(Parameters.read(Request.Replay.class, Map.of("id", List.of("")))
                        .selection())
                .as("an event may have an empty id")
                .isEqualTo(new Selection.Ids(List.of("")));
    }

    @ParameterizedTest
    @CsvSource({"2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00"})
    void aTimeMayHaveAnOffset(String text) {
        assertThat(Parameters.read(Request.Events.class, Map.of("from", List.of(text)))
                        .query()
                        .filter()
                        .createdFrom())
                .isEqualTo(FROM);
    }

    @SuppressWarnings("unchecked")
    private static Class<Record> type(Record request) {
        return (Class<Record>) request.getClass();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "state  | gone     | state must be pending, retry, done or dead, was \"gone\"",
                "from   | today    | from must be an instant such as 2026-01-31T12:00:00Z, was \"today\"",
                "limit  | ten      | limit must be a whole number, was \"ten\"",
                "limit  | 99999999999 | limit must be a whole number, was \"99999999999\"",
                "limit  | 0        | limit must be from 1 to 1000, was 0"
            })
    void saysWhatIsAllowed(String name, String text, String message) {
        assertThatThrownBy(() -> Parameters.read(Request.Events.class, Map.of(name, List.of(text))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void saysWhatIsMissingOrTooMuch() {
        assertThatThrownBy(() -> Parameters.read(Request.Event.class, Map.of()))
                .hasMessage("the parameter id is missing");
        assertThatThrownBy(() -> Parameters.read(Request.Event.class, Map.of("id", List.of("a", "b"))))
                .hasMessage("the parameter id is given 2 times");
        assertThatThrownBy(() -> Parameters.read(Request.Replay.class, Map.of("reason", List.of("r"))))
                .hasMessage("select events by their ids or by a filter");
        assertThatThrownBy(() ->
                        Parameters.read(Request.Routes.class, Map.of("type", List.of("t"), "header", List.of("h"))))
                .hasMessage("header must be NAME=VALUE, was \"h\"");
    }

    @Test
    void anEmptyTextIsNothingUnlessItHasToBeThere() {
        assertThat(Parameters.read(Request.Event.class, Map.of("id", List.of(""))))
                .isEqualTo(new Request.Event(""));
        assertThat(Parameters.read(Request.Events.class, Map.of("type", List.of(""), "limit", List.of(""))))
                .isEqualTo(new Request.Events(new EventQuery(EventFilter.ALL, null, 50)));
    }

    @Test
    void aRequiredTextMustNotBeEmpty() {
        assertThatThrownBy(
                        () -> Parameters.read(Request.Drain.class, Map.of("node", List.of(""), "reason", List.of("r"))))
                .hasMessage("the parameter node is missing");
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, false", "'', false"})
    void aFlagIsTrueOrFalse(String text, boolean read) {
        Map<String, List<String>> texts = Map.of("older-than", List.of("P1D"), "dry-run", List.of(text));

        assertThat(Parameters.read(Request.Purge.class, texts).dryRun()).isEqualTo(read);
    }

    @Test
    void aFlagIsNothingElse() {
        Map<String, List<String>> texts = Map.of("older-than", List.of("P1D"), "dry-run", List.of("no"));

        assertThatThrownBy(() -> Parameters.read(Request.Purge.class, texts))
                .hasMessage("dry-run must be true or false, was \"no\"");
    }

    @Test
    void aSourceIsPausedWithoutAName() {
        Map<String, List<String>> texts = Map.of("kind", List.of("source"), "reason", List.of("r"));

        assertThat(Parameters.read(Request.Pause.class, texts).subject())
                .isEqualTo(new Pause.Subject(Pause.Kind.SOURCE, ""));
        assertThat(Parameters.of(Request.Pause.class))
                .filteredOn(Parameters.Parameter::required)
                .extracting(Parameters.Parameter::name)
                .containsExactly("kind", "reason");
    }

    @Test
    void aNameMeansWhatItsRecordMeans() {
        assertThat(meaning(Request.Resend.class, "before")).startsWith("created before this time");
        assertThat(meaning(Request.Audit.class, "before")).startsWith("continues behind this entry");
    }

    private static String meaning(Class<?> request, String name) {
        return Parameters.of(request).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .meaning();
    }

    @Test
    void fieldsOfTheSameNameStayApartInAResult() {
        Pause pause = new Pause(new Pause.Subject(Pause.Kind.KEY, "k"), "why", "anna", FROM);
        KeyView key = new KeyView("k", 3, null, pause, List.of(), false, List.of(), List.of("first", "second"));
        Overview overview = new Overview(
                new BoundedCount(3, false), null, new BoundedCount(5, true), List.of(), 1, 2, 0, List.of(pause));

        assertThat(Parameters.rows(key).get(0))
                .containsEntry("key", List.of("k"))
                .containsEntry("pause subject name", List.of("k"))
                .containsEntry("pause reason", List.of("why"))
                .containsEntry("reasons", List.of("first", "second"));
        assertThat(Parameters.rows(overview).get(0))
                .containsEntry("pending", List.of("3"))
                .containsEntry("dead", List.of("more than 5"));
    }

    @Test
    void takesATimeOfABrowserForUtc() {
        assertThat(Parameters.read(EventFilter.class, Map.of("from", List.of("2026-01-01T00:00")))
                        .createdFrom())
                .isEqualTo(FROM);
    }
}
