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

/** Reads the server's file as often as it is asked to, and reports everything that is wrong with it at once. */
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
     * @throws WrongConfigException with everything that is wrong, which may be that there is no such file
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
     * @param name of the text, for errors
     * @throws WrongConfigException with everything that is wrong
     */
    public ServerConfig read(String name, String text) {
        ConfigErrors errors = new ConfigErrors();
        YamlDocument file = new YamlDocument(text, environment, errors);
        errors.throwIfAny(name); // Every section of a broken tree would cause errors of its own.
        file.requireSections(SECTIONS);
        Optional<WebPlan> web = file.section("server").read(each -> WebPlan.read(file.settings(each)));
        Optional<LoggingPlan> logging = file.section("logging").read(each -> LoggingPlan.read(file.settings(each)));
        Optional<AccessPlan> access = AccessReader.read(file);
        Section node = file.section("node");
        Optional<String> nodeId = node.read(each -> nodeId(file, each));
        Map<String, Section> sources = file.named("sources", "source");
        Map<String, Section> destinations = file.named("destinations", "destination");
        Map<String, SourcePlan> sourcePlans = sources(file, sources, node, nodeId);
        Map<String, DestinationSettings> destinationPlans = readEach(destinations, ServerConfigReader::destination);
        Optional<RouteSettings> routes = new RoutesReader(file, sources.keySet(), destinations.keySet()).read();
        errors.throwIfAny(name);
        return new ServerConfig(
                web.orElseThrow(),
                access.orElseThrow(),
                logging.orElseThrow(),
                nodeId.orElseThrow(),
                sourcePlans,
                new Routing(destinationPlans, routes.orElseThrow()));
    }

    // Each source reads the node's settings too. They are read here so that an error is reported once, with its line.
    private String nodeId(YamlDocument file, Section node) {
        Settings settings = file.settings(node);
        String chosen = nodeName.choose(settings.text("id"));
        RelaySettings.read(file.settings(node), chosen);
        List.of("weight", "heartbeat", "node-timeout", "drain-timeout").forEach(settings::text);
        settings.requireAllKnown();
        return chosen;
    }

    private Map<String, SourcePlan> sources(
            YamlDocument file, Map<String, Section> sections, Section node, Optional<String> nodeId) {
        if (sections.isEmpty()) {
            file.addError("sources", "there are no sources; name a database below sources:");
        }
        Optional<String> partitions = partitions(file);
        Map<String, Section> complete = new LinkedHashMap<>();
        sections.forEach((name, section) -> {
            Section own = nodeId.isPresent() ? section.over(node.without("id")) : section;
            complete.put(
                    name, partitions.map(count -> own.with("partitions", count)).orElse(own));
        });
        return readEach(
                complete, each -> SourcePlan.read(file.settings(each), each.values(), nodeId.orElse("unknown")));
    }

    private Optional<String> partitions(YamlDocument file) {
        Optional<String> count =
                Optional.ofNullable(environment.apply(PARTITIONS_VARIABLE)).filter(text -> !text.isBlank());
        try {
            count.ifPresent(text -> new Settings("environment", "environment", Map.of(PARTITIONS_VARIABLE, text))
                    .number(PARTITIONS_VARIABLE, 1, 1, ClusterLayout.PARTITIONS_MAX));
            return count;
        } catch (IllegalArgumentException e) {
            file.addError("environment", String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    // Opened only to check the settings of its transport, which connects to nothing yet.
    private static DestinationSettings destination(Section section) {
        DestinationSettings settings = DestinationSettings.read(section.name(), section.values());
        settings.open("").close();
        return settings;
    }

    private static <T> Map<String, T> readEach(Map<String, Section> sections, Function<Section, T> reader) {
        Map<String, T> all = new LinkedHashMap<>();
        sections.forEach((name, section) -> section.read(reader).ifPresent(result -> all.put(name, result)));
        return all;
    }
}
