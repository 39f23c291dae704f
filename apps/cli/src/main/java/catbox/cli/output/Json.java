package catbox.cli.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import outbox.spi.operations.Selection;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON in the server's format, so that a program gets the same answer from a server and from a database: times and
 * durations in ISO-8601, enums in lower case, and no nulls.
 */
public final class Json {

    /** Reads answers, and writes requests and answers on one line each. */
    public static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            // A newer server may send properties that this version does not know.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .addMixIn(Selection.Ids.class, IdsNames.class)
            .build();

    private Json() {}

    /** Prints one indented document. */
    public static void document(Screen screen, Object value) {
        screen.print(MAPPER.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value));
    }

    /** Prints one line of many. */
    public static void line(Screen screen, Object value) {
        screen.print(MAPPER.writeValueAsString(value));
    }

    private interface IdsNames {
        @JsonProperty("ids")
        List<String> eventIds();
    }
}
