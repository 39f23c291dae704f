package catbox.cli.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import outbox.model.Selection;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * JSON as the server speaks it, so that a program need not care where an answer comes from: times and durations in
 * ISO-8601, enums as words in small letters, and nothing instead of null.
 */
public final class Json {

    /** Reads what the server answers, and writes what it is asked; one line each. */
    public static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            // A newer server may say more than this knows of.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .addModule(new SimpleModule().addSerializer(Selection.class, new SelectionWriter()))
            .build();

    private Json() {}

    /** One document, for a program or for somebody who wants to see everything. */
    public static void document(Screen screen, Object value) {
        screen.print(MAPPER.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value));
    }

    /** One line of many. */
    public static void line(Screen screen, Object value) {
        screen.print(MAPPER.writeValueAsString(value));
    }

    private static final class SelectionWriter extends ValueSerializer<Selection> {
        @Override
        public void serialize(Selection selection, JsonGenerator json, SerializationContext context) {
            json.writeStartObject();
            switch (selection) {
                case Selection.Ids ids -> json.writePOJOProperty("ids", ids.eventIds());
                case Selection.Matching matching -> json.writePOJOProperty("filter", matching.filter());
            }
            json.writeEndObject();
        }
    }
}
