package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.Locale;
import outbox.admin.view.EventView;
import outbox.model.EventState;
import outbox.model.EventSummary;

/** An event as its page shows it: what it is, where it stands, and what happened to it. */
record EventText(Desk desk) {

    void print(EventView view) {
        Screen screen = desk.screen();
        Times times = desk.times();
        EventSummary event = view.event();
        EventState state = event.state();
        EventView.Arrival arrival = view.arrival();
        new Facts()
                .add("event", event.eventId())
                .add("type", event.eventType())
                .add("state", state.status().name().toLowerCase(Locale.ROOT), EventTable.colour(state.status()))
                .add("key", event.key())
                .add("partition", view.partition())
                .add("aggregate type", event.aggregateType())
                .add("aggregate", event.aggregateId())
                .add("tenant", event.tenantId())
                .add("occurred", times.of(event.occurredAt()))
                .add("created", times.of(state.createdAt()))
                .add("available", times.of(state.availableAt()))
                .add("attempts", attempts(view))
                .add("last attempt", times.of(state.lastAttemptAt()))
                .add("last error", state.lastError())
                .add("done", times.of(state.doneAt()))
                .add("arrived", arrival == null ? null : arrived(arrival))
                .add("payload", Lines.counted(view.payloadBytes(), "byte") + (view.edited() ? ", edited" : ""))
                .print(screen);
        screen.print("");
        screen.print(Lines.plain(view.explanation()));
        print(attemptTable(view, times), !view.attempts().isEmpty());
        print(acknowledgedTable(view, times), !view.acknowledged().isEmpty());
        print(AuditCommand.table(view.acts(), times), !view.acts().isEmpty());
    }

    private void print(Table table, boolean hasRows) {
        if (hasRows) {
            desk.screen().print("");
            table.print(desk.screen());
        }
    }

    private static String attempts(EventView view) {
        Integer max = view.maxAttempts();
        return view.event().state().attempts() + (max == null ? "" : " of " + max);
    }

    private String arrived(EventView.Arrival arrival) {
        return arrival.place() + " of " + arrival.destination() + ", by " + arrival.nodeId() + ", "
                + desk.times().of(arrival.at());
    }

    private static Table attemptTable(EventView view, Times times) {
        Table table = new Table(">failed attempt", "at", "node", "destination", "error");
        view.attempts()
                .forEach(failed -> table.row(
                        failed.attempt(),
                        times.of(failed.failedAt()),
                        failed.nodeId(),
                        failed.destination(),
                        failed.error()));
        return table;
    }

    private static Table acknowledgedTable(EventView view, Times times) {
        Table table = new Table("acknowledged by", "at");
        view.acknowledged().forEach(done -> table.row(done.target(), times.of(done.acknowledgedAt())));
        return table;
    }
}
