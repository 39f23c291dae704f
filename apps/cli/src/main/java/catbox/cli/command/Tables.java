package catbox.cli.command;

import static catbox.cli.output.Screen.Colour.BAD;
import static catbox.cli.output.Screen.Colour.DOUBTFUL;
import static catbox.cli.output.Screen.Colour.GOOD;
import static catbox.cli.output.Screen.Colour.STRONG;

import catbox.cli.output.Screen.Painted;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/** The tables and cells that several commands show. */
record Tables(Times times) {

    Table<EventSummary> events() {
        return new Table<EventSummary>()
                .whole("event", EventSummary::eventId)
                .text("state", event -> state(lower(event.state().status())))
                .text("type", EventSummary::eventType)
                .text("key", EventSummary::key)
                .text("created", event -> times.of(event.state().createdAt()))
                .number("attempts", event -> event.state().attempts())
                .text("last error", event -> event.state().lastError());
    }

    Table<Pause> pauses() {
        return new Table<Pause>()
                .text("paused", pause -> lower(pause.subject().kind()))
                .text("name", pause -> pause.subject().name())
                .text("since", pause -> times.of(pause.since()))
                .text("by", Pause::by)
                .text("reason", Pause::reason);
    }

    Table<AuditEntry> audit() {
        return new Table<AuditEntry>()
                .number("entry", AuditEntry::id)
                .text("at", entry -> times.of(entry.at()))
                .text("who", AuditEntry::who)
                .text("action", AuditEntry::action)
                .text("subject", AuditEntry::subject)
                .text("detail", AuditEntry::detail);
    }

    /** The state of an event, a node, a destination or a finding, in the colour of its meaning. */
    static Painted state(String state) {
        return switch (state) {
            case "done", "alive", "up" -> GOOD.of(state);
            case "new", "info" -> STRONG.of(state);
            case "dead", "gone", "down", "error" -> BAD.of(state);
            default -> DOUBTFUL.of(state);
        };
    }

    static @Nullable Painted paused(boolean isPaused) {
        return isPaused ? DOUBTFUL.of("yes") : null;
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
