package catbox.cli.command;

import static catbox.cli.output.Screen.Colour.BAD;
import static catbox.cli.output.Screen.Colour.DOUBTFUL;
import static catbox.cli.output.Screen.Colour.GOOD;
import static catbox.cli.output.Screen.Colour.QUIET;
import static catbox.cli.output.Screen.Colour.STRONG;

import catbox.cli.command.PageOptions.Page;
import catbox.cli.connection.Target;
import catbox.cli.connection.TargetOpener.SourceState;
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

    ViewCommands(CommandContext desk) {
        super(desk, false);
        this.screen = desk.screen();
        this.times = desk.times();
        this.tables = new Tables(times);
    }

    @Command(aliases = "status")
    int overview() {
        Overview overview = desk.admin().run(new Request.Overview());
        return desk.show(overview, () -> print(overview));
    }

    private void print(Overview overview) {
        Duration oldest = overview.oldestPendingAge();
        int ownerless = overview.partitionsWithoutOwner();
        List<Pause> pauses = overview.pauses();
        new FieldList()
                .add("pending", overview.pending() + (oldest == null ? "" : ", the oldest for " + Times.of(oldest)))
                .add("dead", overview.dead().counted() > 0 ? BAD.of(overview.dead()) : overview.dead())
                .add("nodes", overview.nodes() == 0 ? BAD.of(0) : overview.nodes())
                .add(
                        "partitions",
                        ownerless == 0
                                ? overview.partitions()
                                : BAD.of(overview.partitions() + ", " + ownerless + " without owner"))
                .add("on hold", pauses.isEmpty() ? "nothing" : DOUBTFUL.of(pauses.size()))
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
        EventFilter wanted = filter.filter(times);
        if (pages.all) {
            int printed = pages.printAll(
                    desk,
                    tables.events(),
                    after,
                    "event",
                    "; there is more: --after ",
                    (from, limit) -> eventPage(new EventQuery(wanted, from, limit)));
            return printed == 0 ? ExitCode.WRONG : ExitCode.OK;
        }
        EventPage page = desk.admin().run(new Request.Events(new EventQuery(wanted, after, pages.limit)));
        desk.show(page, () -> desk.print(page.events(), page.cut() ? null : "No such events.", tables.events()));
        String next = page.next();
        if (next != null && !desk.options().json) {
            screen.say((page.cut() ? "the search was stopped because it took long" : "there is more") + ": --after "
                    + Lines.argument(next) + ", or --all");
        }
        return page.events().isEmpty() && next == null ? ExitCode.WRONG : ExitCode.OK;
    }

    private Page<EventSummary, String> eventPage(EventQuery query) {
        EventPage page = desk.admin().run(new Request.Events(query));
        return new Page<>(page.events(), page.next());
    }

    @Command
    int event(@Parameters(paramLabel = "ID", description = "the event's id") String id) {
        return new EventText(desk).show(id);
    }

    @Command
    int key(@Parameters(paramLabel = "KEY", description = "the ordering key") String key) {
        KeyView view = desk.admin().run(new Request.Key(key));
        return desk.show(view, () -> print(view));
    }

    private void print(KeyView view) {
        Pause pause = view.pause();
        new FieldList()
                .add("key", view.key())
                .add("partition", view.partition())
                .add("owner", view.owner() == null ? "none" : view.owner())
                .add("on hold", pause == null ? null : DOUBTFUL.of("by " + pause.by() + ": " + pause.reason()))
                .add(
                        "pending",
                        (view.more() ? "more than " : "") + view.pending().size())
                .add("dead", view.dead().size())
                .print(screen);
        screen.print("");
        if (view.reasons().isEmpty()) {
            screen.print("Nothing delays it.");
        }
        view.reasons().forEach(reason -> screen.print(Lines.single(reason)));
        Table<EventSummary> events = tables.events();
        events.printBelow(screen, view.pending());
        events.printBelow(screen, view.dead());
    }

    @Command
    int nodes() {
        return desk.list(
                desk.admin().run(new Request.Nodes()),
                "No node runs a relay.",
                new Table<NodeView>()
                        .text("node", NodeView::nodeId)
                        .text("state", ViewCommands::state)
                        .number("weight", NodeView::weight)
                        .text(
                                "partitions",
                                node -> node.partitions().stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(" ")))
                        .text("version", NodeView::version)
                        .text("address", NodeView::address)
                        .text("last heartbeat", node -> Times.of(node.heartbeatAge()) + " ago")
                        .text("joined", node -> times.of(node.joinedAt())));
    }

    private static Painted state(NodeView node) {
        if (!node.alive()) {
            return BAD.of("gone");
        }
        return node.drained() ? DOUBTFUL.of("drained") : GOOD.of("alive");
    }

    @Command
    int partitions() {
        return desk.list(
                desk.admin().run(new Request.Partitions()),
                "There are no partitions here.",
                new Table<PartitionView>()
                        .number("partition", PartitionView::partition)
                        .text("owner", owned -> owned.owner() == null ? BAD.of("none") : owned.owner())
                        .number("epoch", PartitionView::epoch)
                        .text("owned since", owned -> times.of(owned.ownedSince()))
                        .text("on hold", owned -> Tables.onHold(owned.paused())));
    }

    @Command
    int destinations() {
        List<DestinationView> destinations = desk.admin().run(new Request.Destinations());
        return desk.show(destinations, () -> {
            desk.print(destinations, "There are no destinations.", destinationTable());
            destinations.forEach(this::printAddresses);
        });
    }

    private Table<DestinationView> destinationTable() {
        return new Table<DestinationView>()
                .text("destination", DestinationView::name)
                .text("kind", DestinationView::kind)
                .text("state", destination -> state(destination.state()))
                .text("down since", destination -> times.of(destination.downSince()))
                .text("next probe", destination -> times.away(destination.nextProbe()))
                .text("on hold", destination -> Tables.onHold(destination.paused()))
                .number("under way", DestinationView::inFlight)
                .text("last error", DestinationView::lastError);
    }

    private static Painted state(String state) {
        return switch (state) {
            case DestinationView.UP -> GOOD.of(state);
            case DestinationView.DOWN -> BAD.of(state);
            default -> DOUBTFUL.of(state);
        };
    }

    private void printAddresses(DestinationView destination) {
        for (DestinationView.Address address : destination.addresses()) {
            screen.print("Address " + address.address() + " of " + destination.name() + " is unavailable since "
                    + times.of(address.since()) + ", next probe " + times.away(address.nextProbe()) + ": "
                    + address.lastError());
        }
    }

    @Command(description = "Lists what is paused, why, and by whom.")
    int pauses() {
        return desk.list(desk.admin().run(new Request.Pauses()), "Nothing is paused.", tables.pauses());
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
        if (pages.all) {
            pages.printAll(desk, tables.audit(), before, "entry", "; there may be more: --before ", this::auditPage);
            return ExitCode.OK;
        }
        Page<AuditEntry, Long> page = auditPage(before, pages.limit);
        desk.list(page.entries(), "The audit log is empty.", tables.audit());
        if (page.next() != null && !desk.options().json) {
            screen.say("there may be more: --before " + page.next() + ", or --all");
        }
        return ExitCode.OK;
    }

    private Page<AuditEntry, Long> auditPage(@Nullable Long before, int limit) {
        List<AuditEntry> entries = desk.admin().run(new Request.Audit(new AuditQuery(before, limit)));
        return new Page<>(entries, entries.size() == limit ? entries.getLast().id() : null);
    }

    @Command
    int doctor() {
        List<Finding> findings = desk.admin().run(new Request.Doctor());
        desk.show(findings, () -> print(findings));
        return count(findings, Severity.ERROR) > 0 ? ExitCode.WRONG : ExitCode.OK;
    }

    private void print(List<Finding> findings) {
        for (Finding finding : findings) {
            Painted severity = severity(finding.severity());
            screen.print(screen.paint(severity.colour(), severity.text()) + "  " + Lines.single(finding.title())
                    + screen.paint(QUIET, "  [" + finding.code() + "]"));
            screen.print("  seen:   " + wrapped(finding.evidence()));
            screen.print("  advice: " + wrapped(finding.advice()));
            screen.print("");
        }
        screen.print(
                findings.isEmpty()
                        ? screen.paint(GOOD, "All is well.")
                        : Lines.counted(count(findings, Severity.ERROR), "error") + ", "
                                + Lines.counted(count(findings, Severity.WARNING), "warning") + ", "
                                + count(findings, Severity.ADVICE) + " info");
    }

    private String wrapped(String text) {
        return Lines.wrapped(Lines.single(text), screen.width(), "  advice: ".length());
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    private static Painted severity(Severity severity) {
        return switch (severity) {
            case ERROR -> BAD.of("error");
            case WARNING -> DOUBTFUL.of("warning");
            case ADVICE -> STRONG.of("info");
        };
    }

    @Command(description = "Lists the sources of a server.")
    int sources() {
        if (!(desk.options().target.place() instanceof Target.Server server)) {
            throw new IllegalArgumentException("a database has no sources, but tables: see --table");
        }
        return desk.list(
                desk.opening().sources(server),
                "The server has no sources.",
                new Table<SourceState>()
                        .text("source", SourceState::name)
                        .text("state", SourceState::state)
                        .text("problem", SourceState::problem));
    }
}
