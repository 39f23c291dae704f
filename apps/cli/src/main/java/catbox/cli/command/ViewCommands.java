package catbox.cli.command;

import static catbox.cli.output.Screen.Colour.BAD;
import static catbox.cli.output.Screen.Colour.DOUBTFUL;
import static catbox.cli.output.Screen.Colour.GOOD;
import static catbox.cli.output.Screen.Colour.QUIET;

import catbox.cli.command.PageOptions.Page;
import catbox.cli.connection.Target;
import catbox.cli.connection.TargetOpener.SourceState;
import catbox.cli.output.FieldList;
import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import catbox.cli.output.Screen.Painted;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.view.DestinationView;
import outbox.admin.view.KeyView;
import outbox.admin.view.NodeView;
import outbox.admin.view.Overview;
import outbox.admin.view.PartitionView;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.OutboxStatistics.TypeLatency;
import outbox.spi.relay.Pause;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that only read. Each asks for one view and shows it, as text or as JSON. */
@Command(addMethodSubcommands = false)
abstract class ViewCommands extends EventCommands {

    private final Screen screen;
    private final Times times;
    private final Tables tables;

    ViewCommands(CommandContext context) {
        super(context, false);
        this.screen = context.screen();
        this.times = context.times();
        this.tables = new Tables(times);
    }

    @Command(aliases = "status")
    int overview() {
        return context.run(new Request.Overview(), this::print);
    }

    private void print(Overview overview) {
        Duration oldest = overview.oldestPendingAge();
        int ownerless = overview.partitionsWithoutOwner();
        List<Pause> pauses = overview.pauses();
        Object partitions = ownerless == 0
                ? overview.partitions()
                : BAD.of(overview.partitions() + ", " + ownerless + " without owner");
        new FieldList()
                .add("pending", overview.pending() + (oldest == null ? "" : ", the oldest for " + Times.of(oldest)))
                .add("dead", overview.dead().counted() > 0 ? BAD.of(overview.dead()) : overview.dead())
                .add("nodes", overview.nodes() == 0 ? BAD.of(0) : overview.nodes())
                .add("partitions", partitions)
                .add("paused", pauses.isEmpty() ? "nothing" : DOUBTFUL.of(pauses.size()))
                .print(screen);
        new Table<TypeLatency>()
                .text("type", TypeLatency::eventType)
                .number("sampled", latency -> String.format(Locale.ROOT, "%,d", latency.sampled()))
                .number("average", latency -> Times.of(latency.average()))
                .number("max", latency -> Times.of(latency.max()))
                .printBelow(screen, overview.latencies());
        tables.pauses().printBelow(screen, pauses);
    }

    @Command
    int events(
            @Mixin FilterOptions filter,
            @Option(names = "--after", paramLabel = "CURSOR", description = "continue after the page that printed this")
                    @Nullable
                    String after,
            @Mixin PageOptions pages) {
        EventFilter wanted = filter.filter();
        return pages.print(
                context,
                tables.events(),
                "event",
                after,
                (from, limit) -> page(context.admin().run(new Request.Events(new EventQuery(wanted, from, limit)))));
    }

    private static Page<EventSummary, String> page(EventPage page) {
        String hint = page.cut() ? "the search was stopped because it took long" : "there is more";
        String none = page.cut() ? "No event was found so far." : "No event matches.";
        return new Page<>(page, page.events(), none, hint + ": --after", page.next());
    }

    @Command
    int event(@Parameters(paramLabel = "ID", description = "the event's id") String id) {
        return new EventText(context).show(id);
    }

    @Command
    int reveal(@Parameters(paramLabel = "ID", description = "the event's id") String id) {
        return new EventText(context).reveal(id);
    }

    @Command
    int key(@Parameters(paramLabel = "KEY", description = "the ordering key") String key) {
        return context.run(new Request.Key(key), this::print);
    }

    private void print(KeyView view) {
        Pause pause = view.pause();
        int pending = view.pending().size();
        new FieldList()
                .add("key", view.key())
                .add("partition", view.partition())
                .add("owner", view.owner() == null ? "none" : view.owner())
                .add("paused", pause == null ? null : DOUBTFUL.of("by " + pause.by() + ": " + pause.reason()))
                .add("pending", (view.more() ? "more than " : "") + pending)
                .add("dead", view.dead().size())
                .print(screen);
        screen.print("");
        if (view.reasons().isEmpty()) {
            screen.print("Nothing delays this key.");
        }
        view.reasons().forEach(reason -> screen.print(Lines.single(reason)));
        tables.events().printBelow(screen, view.pending());
        tables.events().printBelow(screen, view.dead());
    }

    @Command
    int nodes() {
        return context.list(
                new Request.Nodes(),
                "No node runs a relay.",
                new Table<NodeView>()
                        .text("node", NodeView::nodeId)
                        .text("state", ViewCommands::state)
                        .number("weight", NodeView::weight)
                        .text("partitions", ViewCommands::partitions)
                        .text("version", NodeView::version)
                        .text("address", NodeView::address)
                        .text("last heartbeat", node -> Times.of(node.heartbeatAge()) + " ago")
                        .text("joined", node -> times.of(node.joinedAt())));
    }

    private static Painted state(NodeView node) {
        String alive = node.drained() ? "drained" : "alive";
        return Tables.state(node.alive() ? alive : "gone");
    }

    private static String partitions(NodeView node) {
        return node.partitions().stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    @Command
    int partitions() {
        return context.list(
                new Request.Partitions(),
                "There are no partitions here.",
                new Table<PartitionView>()
                        .number("partition", PartitionView::partition)
                        .text("owner", owned -> owned.owner() == null ? BAD.of("none") : owned.owner())
                        .number("epoch", PartitionView::epoch)
                        .text("owned since", owned -> times.of(owned.ownedSince()))
                        .text("paused", owned -> Tables.paused(owned.paused())));
    }

    @Command
    int destinations() {
        Table<DestinationView> table = new Table<DestinationView>()
                .text("destination", DestinationView::name)
                .text("kind", DestinationView::kind)
                .text("state", destination -> Tables.state(destination.state()))
                .text("down since", destination -> times.of(destination.downSince()))
                .text("next probe", destination -> times.away(destination.nextProbe()))
                .text("paused", destination -> Tables.paused(destination.paused()))
                .number("in flight", DestinationView::inFlight)
                .text("last error", DestinationView::lastError);
        return context.run(new Request.Destinations(), destinations -> {
            table.print(screen, destinations, "There are no destinations.");
            destinations.forEach(this::printAddresses);
        });
    }

    private void printAddresses(DestinationView destination) {
        for (DestinationView.Address address : destination.addresses()) {
            screen.print("Address " + address.address() + " of " + destination.name() + " has been unavailable since "
                    + times.of(address.since()) + ", next probe " + times.away(address.nextProbe()) + ": "
                    + address.lastError());
        }
    }

    @Command(description = "Lists what is paused, why, and by whom.")
    int pauses() {
        return context.list(new Request.Pauses(), "Nothing is paused.", tables.pauses());
    }

    @Command(hidden = true, description = "Is now called pauses.")
    int holds() {
        throw new IllegalArgumentException("the command \"holds\" is now called \"pauses\"");
    }

    @Command
    int audit(
            @Option(names = "--before", paramLabel = "ENTRY", description = "continue with the entry before this one")
                    @Nullable
                    Long before,
            @Mixin PageOptions pages) {
        pages.print(context, tables.audit(), "entry", before, this::auditPage);
        return ExitCode.OK;
    }

    private Page<AuditEntry, Long> auditPage(@Nullable Long before, int limit) {
        List<AuditEntry> entries = context.admin().run(new Request.Audit(new AuditQuery(before, limit)));
        Long next = entries.size() == limit ? entries.getLast().id() : null;
        return new Page<>(entries, entries, "The audit log is empty.", "there may be more: --before", next);
    }

    @Command(
            description =
                    "Lists problems with evidence and advice, the worst first. Exits with 1 if one of them is an error.")
    int doctor() {
        List<Finding> findings = context.admin().run(new Request.Doctor());
        context.show(findings, () -> print(findings));
        return count(findings, Severity.ERROR) > 0 ? ExitCode.WRONG : ExitCode.OK;
    }

    private void print(List<Finding> findings) {
        for (Finding finding : findings) {
            String severity = finding.severity() == Severity.ADVICE ? "info" : Tables.lower(finding.severity());
            screen.print(screen.paint(Tables.state(severity)) + "  " + Lines.single(finding.title())
                    + screen.paint(QUIET.of("  [" + finding.code() + "]")));
            screen.print("  evidence: " + wrapped(finding.evidence()));
            screen.print("  advice:   " + wrapped(finding.advice()));
            screen.print("");
        }
        screen.print(
                findings.isEmpty()
                        ? screen.paint(GOOD.of("No problems were found."))
                        : Lines.counted(count(findings, Severity.ERROR), "error") + ", "
                                + Lines.counted(count(findings, Severity.WARNING), "warning") + ", "
                                + count(findings, Severity.ADVICE) + " info");
    }

    private String wrapped(String text) {
        return Lines.wrapped(Lines.single(text), screen.width(), "  evidence: ".length());
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    @Command(description = "Lists the sources of a server.")
    int sources() {
        if (!(context.options().target() instanceof Target.Server server)) {
            throw new IllegalArgumentException("a database has no sources, but tables: see --table");
        }
        List<SourceState> sources = context.opener().sources(server);
        Table<SourceState> table = new Table<SourceState>()
                .text("source", SourceState::name)
                .text("state", SourceState::state)
                .text("problem", SourceState::problem);
        return context.show(sources, () -> table.print(screen, sources, "The server has no sources."));
    }
}
