package catbox.cli.command;

import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.List;
import java.util.Locale;
import outbox.model.EventStatus;
import outbox.model.EventSummary;

/** Events as a list shows them. */
final class EventTable {

    private EventTable() {}

    static Table of(List<EventSummary> events, Times times) {
        Table table = new Table("=event", "state", "type", "key", "created", ">attempts", "last error");
        for (EventSummary event : events) {
            table.row(
                    event.eventId(),
                    state(event.state().status()),
                    event.eventType(),
                    event.key(),
                    times.of(event.state().createdAt()),
                    event.state().attempts(),
                    event.state().lastError());
        }
        return table;
    }

    static Table.Painted state(EventStatus status) {
        return new Table.Painted(colour(status), status.name().toLowerCase(Locale.ROOT));
    }

    static Screen.Colour colour(EventStatus status) {
        return switch (status) {
            case NEW -> Screen.Colour.STRONG;
            case DONE -> Screen.Colour.GOOD;
            case RETRY -> Screen.Colour.DOUBTFUL;
            case DEAD -> Screen.Colour.BAD;
        };
    }
}
