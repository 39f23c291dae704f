package catbox.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.admin.Operation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OpenApiTest {

    private final JsonMapper mapper = JsonMapper.shared();
    private final JsonNode document = mapper.valueToTree(new OpenApi().document());

    @ParameterizedTest
    @EnumSource(Operation.class)
    void describesEveryOperation(Operation operation) {
        JsonNode path = document.get("paths").get("/api/sources/{source}/" + operation.id());
        JsonNode method = path.get(operation.kind() == Operation.Kind.SEE ? "get" : "post");

        assertThat(path).hasSize(1);
        assertThat(method.get("operationId").stringValue()).isEqualTo(operation.id());
        assertThat(method.has("requestBody")).isEqualTo(operation.kind() != Operation.Kind.SEE);
        assertThat(method.at("/responses/200/content/application~1json/schema").isObject())
                .isTrue();
    }

    @Test
    void everySchemaThatIsReferredToIsThere() {
        Set<String> referred = new LinkedHashSet<>();
        Matcher reference = Pattern.compile("#/components/schemas/(\\w+)").matcher(mapper.writeValueAsString(document));
        while (reference.find()) {
            referred.add(reference.group(1));
        }

        assertThat(document.at("/components/schemas").propertyNames())
                .containsExactlyInAnyOrderElementsOf(referred)
                .contains("EventPage", "RequestReplay", "ProblemDocument");
    }

    @Test
    void saysWhatMayBeLeftOut() {
        JsonNode replay = document.at("/components/schemas/RequestReplay");

        assertThat(mapper.convertValue(replay.get("required"), String[].class)).containsExactly("selection");
        assertThat(replay.get("properties").propertyNames()).containsExactly("selection", "dryRun", "reason", "after");
    }
}
