package catbox.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.model.RelayTerms;
import outbox.relay.config.DestinationPlan;
import outbox.relay.config.RelayPlan;
import outbox.relay.config.RoutePlan;
import outbox.util.ErrorText;
import outbox.util.Settings;

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
        Complaints complaints = new Complaints();
        YamlDocument document = new YamlDocument(text, new Placeholders(environment), complaints);
        if (!complaints.isEmpty()) {
            complaints.refuse(name); // What is no tree would only raise complaints that mean nothing.
        }
        document.requireSections(SECTIONS);
        Optional<WebPlan> web = read(document.section("server"), complaints, this::webPlan);
        Optional<LoggingPlan> logging = read(document.section("logging"), complaints, this::loggingPlan);
        Optional<AccessPlan> access = new AccessReader(document, complaints, this::settings).read();
        Section node = document.section("node");
        Optional<String> nodeId = read(node, complaints, this::nodeId);
        Map<String, Section> sourceSections = document.named("sources", "source");
        Map<String, Section> destinationSections = document.named("destinations", "destination");
        Map<String, SourcePlan> sources =
                sources(sourceSections, nodeId.isPresent() ? node : Section.empty("node"), complaints);
        Map<String, DestinationPlan> destinations = destinations(destinationSections, complaints);
        Optional<RoutePlan> routes =
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

    private WebPlan webPlan(Section section) {
        return WebPlan.read(settings(section));
    }

    private LoggingPlan loggingPlan(Section section) {
        return LoggingPlan.read(settings(section));
    }

    // What a node has is read with each source; here only so that a mistake is told once, and with its own line.
    private String nodeId(Section section) {
        Settings settings = settings(section);
        String chosen = nodeName.choose(settings.text("id"));
        List.of("weight", "heartbeat", "timeout", "drain").forEach(settings::text);
        settings.requireAllKnown();
        RelayPlan.read(settings(section), chosen);
        return chosen;
    }

    private Map<String, SourcePlan> sources(Map<String, Section> sections, Section node, Complaints complaints) {
        Map<String, SourcePlan> sources = new LinkedHashMap<>();
        Optional<String> partitions = partitions(complaints);
        String nodeId = nodeName.choose(settings(node).text("id"));
        sections.forEach((name, section) -> {
            Section own = section.over(node.without("id"));
            Section whole =
                    partitions.map(count -> own.with("partitions", count)).orElse(own);
            read(whole, complaints, each -> SourcePlan.read(settings(each), each.values(), nodeId))
                    .ifPresent(plan -> sources.put(name, plan));
        });
        if (sections.isEmpty()) {
            complaints.add(0, "there are no sources; name a database below sources:");
        }
        return sources;
    }

    private Optional<String> partitions(Complaints complaints) {
        String count = environment.apply(PARTITIONS_VARIABLE);
        if (count == null || count.isBlank()) {
            return Optional.empty();
        }
        try {
            new Settings("environment", "environment", Map.of(PARTITIONS_VARIABLE, count))
                    .number(PARTITIONS_VARIABLE, 1, 1, RelayTerms.PARTITIONS_MAX);
            return Optional.of(count);
        } catch (IllegalArgumentException e) {
            complaints.add(0, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static Map<String, DestinationPlan> destinations(Map<String, Section> sections, Complaints complaints) {
        Map<String, DestinationPlan> destinations = new LinkedHashMap<>();
        sections.forEach((name, section) -> read(section, complaints, ServerConfigReader::destination)
                .ifPresent(plan -> destinations.put(name, plan)));
        return destinations;
    }

    // Opened to be closed again: its transport knows which settings there are, and connects to nothing yet.
    private static DestinationPlan destination(Section section) {
        DestinationPlan plan = DestinationPlan.read(section.name(), section.values());
        plan.open("").close();
        return plan;
    }

    private Settings settings(Section section) {
        return new Settings(section.owner(), section.name(), section.values(), environment);
    }

    /**
     * What is made of a section. After a complaint it is read again without the setting that is to blame, so that the
     * others are heard too.
     */
    static <T> Optional<T> read(Section section, Complaints complaints, Function<Section, T> reader) {
        List<String> blamed = new ArrayList<>();
        Section left = section;
        while (true) {
            try {
                T made = reader.apply(left);
                return blamed.isEmpty() ? Optional.of(made) : Optional.empty();
            } catch (RuntimeException e) {
                String complaint = String.valueOf(e.getMessage());
                String setting = Section.settingIn(complaint);
                if (!blamed.contains(setting)) {
                    complaints.add(section.lineOf(complaint), complaint);
                }
                blamed.add(setting);
                if (!left.values().containsKey(setting)) {
                    return Optional.empty();
                }
                left = left.without(setting);
            }
        }
    }
}
