package catbox.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.relay.config.DestinationSettings;
import outbox.relay.config.RelaySettings;
import outbox.relay.config.RouteSettings;
import outbox.spi.Settings;
import outbox.spi.relay.ClusterLayout;

/** Reads the server's file, as often as wanted, and says everything that is wrong about it at once. */
public final class ServerConfigReader {

    private static final List<String> SECTIONS =
            List.of("server", "access", "logging", "node", "sources", "destinations", "routes");
    private static final String PARTITIONS_VARIABLE = "OUTBOX_PARTITIONS";

    private final UnaryOperator<@Nullable String> environment;
    private final NodeName nodeName;

    public ServerConfigReader() {
        this(System::getenv);
    }

    /** With another environment for placeholders, secrets and overrides. */
    public ServerConfigReader(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
        this.nodeName = new NodeName(environment);
    }

    /**
     * Reads a file.
     *
     * @throws WrongConfigException with everything that is wrong, the file's absence included
     */
    public ServerConfig read(Path file) {
        try {
            return read(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new WrongConfigException(
                    file.toString(),
                    List.of("the file cannot be read: " + ErrorText.of(e)
                            + "; name one with --config FILE or the environment variable CATBOX_CONFIG"));
        }
    }

    /**
     * Reads a text.
     *
     * @param name of the text, for complaints
     * @throws WrongConfigException with everything that is wrong
     */
    public ServerConfig read(String name, String text) {
        ConfigErrors complaints = new ConfigErrors();
        YamlDocument document = new YamlDocument(text, new Placeholders(environment), complaints);
        complaints.refuse(name); // What is no tree would only raise complaints that mean nothing.
        document.requireSections(SECTIONS);
        Optional<WebPlan> web = document.section("server").read(section -> WebPlan.read(settings(section)));
        Optional<LoggingPlan> logging =
                document.section("logging").read(section -> LoggingPlan.read(settings(section)));
        Optional<AccessPlan> access = new AccessReader(document, complaints, this::settings).read();
        Section node = document.section("node");
        Optional<String> nodeId = node.read(this::nodeId);
        Map<String, Section> sourceSections = document.named("sources", "source");
        Map<String, Section> destinationSections = document.named("destinations", "destination");
        Map<String, SourcePlan> sources = sources(sourceSections, nodeId.map(id -> node), complaints);
        Map<String, DestinationSettings> destinations =
                readEach(destinationSections, section -> section, ServerConfigReader::destination);
        Optional<RouteSettings> routes =
                new RoutesReader(document, complaints).read(sourceSections.keySet(), destinationSections.keySet());
        complaints.refuse(name);
        return new ServerConfig(
                web.orElseThrow(),
                access.orElseThrow(),
                logging.orElseThrow(),
                nodeId.orElseThrow(),
                sources,
                new Routing(destinations, routes.orElseThrow()));
    }

    // What a node has is read with each source; here only so that a mistake is reported once, and with its own line.
    private String nodeId(Section section) {
        Settings settings = settings(section);
        String chosen = nodeName.choose(settings.text("id"));
        RelaySettings.read(settings(section), chosen);
        List.of("weight", "heartbeat", "node-timeout", "drain-timeout").forEach(settings::text);
        settings.requireAllKnown();
        return chosen;
    }

    /** The sources; without what every node has when there is a complaint about that. */
    private Map<String, SourcePlan> sources(
            Map<String, Section> sections, Optional<Section> node, ConfigErrors complaints) {
        if (sections.isEmpty()) {
            complaints.add(0, "there are no sources; name a database below sources:");
        }
        Optional<String> partitions = partitions(complaints);
        String nodeId = nodeName.choose(node.flatMap(each -> settings(each).text("id")));
        return readEach(
                sections,
                section -> {
                    Section own =
                            node.map(each -> section.over(each.without("id"))).orElse(section);
                    return partitions
                            .map(count -> own.with("partitions", count))
                            .orElse(own);
                },
                section -> SourcePlan.read(settings(section), section.values(), nodeId));
    }

    private Optional<String> partitions(ConfigErrors complaints) {
        Optional<String> count =
                Optional.ofNullable(environment.apply(PARTITIONS_VARIABLE)).filter(text -> !text.isBlank());
        try {
            count.ifPresent(text -> new Settings("environment", "environment", Map.of(PARTITIONS_VARIABLE, text))
                    .number(PARTITIONS_VARIABLE, 1, 1, ClusterLayout.PARTITIONS_MAX));
            return count;
        } catch (IllegalArgumentException e) {
            complaints.add(0, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    // Opened to be closed again: its transport knows which settings there are, and connects to nothing yet.
    private static DestinationSettings destination(Section section) {
        DestinationSettings plan = DestinationSettings.read(section.name(), section.values());
        plan.open("").close();
        return plan;
    }

    private static <T> Map<String, T> readEach(
            Map<String, Section> sections, UnaryOperator<Section> prepared, Function<Section, T> reader) {
        Map<String, T> all = new LinkedHashMap<>();
        sections.forEach(
                (name, section) -> prepared.apply(section).read(reader).ifPresent(plan -> all.put(name, plan)));
        return all;
    }

    private Settings settings(Section section) {
        return new Settings(section.owner(), section.name(), section.values(), environment);
    }
}
