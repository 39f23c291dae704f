package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import outbox.relay.config.RelaySettings;
import outbox.spi.Settings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MetadataTest {

    @Test
    void listsExactlyTheSettingsThatTheRelayReads() throws IOException {
        Settings settings = new Settings("outbox.relay", "outbox.relay", Map.of("nonsense", "1"));
        RelaySettings.read(settings, "node");
        Throwable refusal = catchThrowable(settings::requireAllKnown);
        String there = refusal.getMessage().replaceAll(".*there are \\[(.*)\\]", "$1");

        assertThat(documented()).isEqualTo(new TreeSet<>(List.of(there.split(", "))));
    }

    @Test
    void everyPropertyHasADescription() throws IOException {
        for (JsonNode property : metadata().get("properties")) {
            assertThat(property.path("description").asString())
                    .as(property.get("name").asString())
                    .isNotBlank();
        }
    }

    /** Returns the names of all properties. */
    static List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        metadata()
                .get("properties")
                .forEach(property -> names.add(property.get("name").asString()));
        return names;
    }

    private static Set<String> documented() throws IOException {
        Set<String> names = new TreeSet<>();
        for (JsonNode property : metadata().get("properties")) {
            String name = property.get("name").asString();
            if (name.startsWith("outbox.relay.")) {
                names.add(name.substring("outbox.relay.".length()));
            } else if (name.startsWith("outbox.retention.")) {
                names.add(name.substring("outbox.".length()));
            }
        }
        return names;
    }

    // Every library on the class path may have one.
    private static JsonNode metadata() throws IOException {
        for (URL url : Collections.list(
                OutboxProperties.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream json = url.openStream()) {
                JsonNode metadata = JsonMapper.shared().readTree(json.readAllBytes());
                if (metadata.toString().contains("\"outbox.delivery\"")) {
                    return metadata;
                }
            }
        }
        throw new AssertionError("the starter has no metadata");
    }
}
