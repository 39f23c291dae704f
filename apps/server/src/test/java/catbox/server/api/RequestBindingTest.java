package catbox.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause;
import tools.jackson.databind.json.JsonMapper;

/** How queries and bodies become requests, and what is said of those that do not. */
class RequestBindingTest {

    private final RequestBinding binding = new RequestBinding(mapper());

    private static JsonMapper mapper() {
        JsonMapper.Builder builder = JsonMapper.builder();
        new ApiConfiguration().jsonOfTheApi().customize(builder);
        return builder.build();
    }

    private RequestBinding.Bound body(Operation operation, String json) {
        return binding.ofBody(operation, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void bindsBodiesOntoTheirRecords() {
        assertThat(
                        body(
                                Operation.DISCARD,
                                "{\"selection\":{\"filter\":{\"state\":\"dead\"}},\"reason\":\"old\",\"after\":\"p\",\"confirm\":true}"))
                .isEqualTo(new RequestBinding.Bound(
                        new Request.Discard(
                                new Selection.Matching(EventFilter.ALL.withState(EventFilter.State.DEAD)),
                                false,
                                "old",
                                "p"),
                        true));
        assertThat(body(Operation.PURGE, "{\"olderThan\":\"P30D\",\"dryRun\":true,\"confirm\":\"yes\"}"))
                .isEqualTo(new RequestBinding.Bound(new Request.Purge(Duration.ofDays(30), true), false));
        assertThat(body(Operation.RESUME, "{\"subject\":{\"kind\":\"key\",\"name\":\"k\"}}")
                        .request())
                .isEqualTo(new Request.Resume(new Pause.Subject(Pause.Kind.KEY, "k")));
        assertThat(body(Operation.REBALANCE, "").request()).isEqualTo(new Request.Rebalance(null));
        assertThat(body(Operation.REVEAL, "{\"eventId\":\"E1\"}").request()).isEqualTo(new Request.Reveal("E1"));
        assertThat(body(
                                Operation.EDIT,
                                "{\"eventId\":\"A\",\"edit\":{\"headers\":{}},\"replay\":true,\"reason\":\"r\"}")
                        .request())
                .isInstanceOf(Request.Edit.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "REPLAY|{|the body is not JSON",
                "REPLAY|[]|must be a JSON object",
                "REPLAY|{}|selection is missing",
                "REPLAY|{\"selection\":{}}|either ids or filter",
                "REPLAY|{\"selection\":{\"ids\":[]}}|1 to 1000 event ids",
                "PAUSE|{\"subject\":{\"kind\":\"key\"},\"reason\":\"x\"}|subject.name is missing",
                "PAUSE|{\"subject\":{\"kind\":\"moon\",\"name\":\"x\"},\"reason\":\"x\"}|moon",
                "PAUSE|{\"subject\":{\"kind\":\"source\",\"name\":\"\"},\"reason\":\" \"}|needs a reason",
                "PAUSE|{\"subject\":{\"kind\":\"key\",\"name\":\"x\"},\"raeson\":\"x\",\"reason\":\"x\"}|raeson"
            })
    void saysWhatIsWrongWithABody(Operation operation, String json, String detail) {
        assertThatThrownBy(() -> body(operation, json))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().status()).isEqualTo(400))
                .hasMessageContaining(detail);
    }

    @Test
    void refusesABodyThatIsTooLong() {
        assertThatThrownBy(() -> body(Operation.REPLAY, " ".repeat((4 << 20) + 1)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().status()).isEqualTo(413));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EVENT|key|x|unknown parameters [key] of \"event\"; there are [id]",
                "EVENTS|stat|dead|unknown parameters [stat]",
                "EVENTS|state|gone|pending, retry, done or dead",
                "EVENTS|limit|0|limit must be from 1 to",
                "EVENTS|from|today|from must be an instant such as",
                "AUDIT|before|x|before must be a whole number",
                "KEY|key||the parameter key is missing",
                "ROUTES|header|a=b|the parameter type is missing"
            })
    void saysWhatIsWrongWithAQuery(Operation operation, String name, String text, String detail) {
        assertThatThrownBy(() -> binding.ofQuery(operation, Map.of(name, List.of(text == null ? "" : text))))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining(detail);
    }
}
