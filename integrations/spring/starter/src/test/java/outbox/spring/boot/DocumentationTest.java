package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Checks the properties of the docs with Boot's own binder. */
class DocumentationTest {

    @Test
    void bindsTheYamlOfTheDocs() throws IOException {
        Matcher yaml = Pattern.compile("(?ms)^```yaml\\R(.*?)^```$").matcher(page());
        assertThat(yaml.find()).isTrue();

        ConfiguredRoutes configured = ConfiguredRoutes.read(bound(yaml.group(1)));

        assertThat(new TreeSet<>(configured.destinations().keySet())).containsExactly("ledger", "main");
        assertThat(configured.destinations().get("main").values()).containsEntry("property.compression.type", "lz4");
        assertThat(configured.routes().table()).hasToString("""
                        orders: {aggregate type=Order} → main/orders, ledger
                        rest: every event → main
                        """);
    }

    @Test
    void docsListEveryPropertyOfTheMetadata() throws IOException {
        String page = page();
        List<String> ours = MetadataTest.names().stream()
                .filter(name -> name.startsWith("outbox."))
                .toList();
        assertThat(ours).hasSizeGreaterThan(40);
        for (String name : ours) {
            String leaf = name.substring(name.lastIndexOf('.') + 1);
            assertThat(page).as(name).containsPattern("`(outbox[a-z.-]*)?\\.?" + Pattern.quote(leaf) + "[.`\\[]");
        }
    }

    private static OutboxProperties bound(String yaml) throws IOException {
        List<PropertySource<?>> sources = new YamlPropertySourceLoader()
                .load("docs", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        return new Binder(ConfigurationPropertySources.from(sources))
                .bind("outbox", OutboxProperties.class)
                .get();
    }

    private static String page() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/spring.md"))) {
            folder = folder.getParent();
        }
        return Files.readString(folder.resolve("docs/spring.md"));
    }
}
