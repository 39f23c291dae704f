package catbox.cli.command;

import catbox.cli.output.FieldList;
import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.TreeMap;
import outbox.admin.Operation.Request;
import outbox.admin.view.EventView;
import outbox.admin.view.Payload;
import outbox.model.EventState;
import outbox.spi.operations.EventHistory.Acknowledged;
import outbox.spi.operations.EventHistory.FailedAttempt;
import outbox.spi.operations.EventSummary;

/** Prints one event: its properties, its state and its history, or its payload. */
record EventText(CommandContext context) {

    int show(String eventId) {
        return context.run(new Request.Event(eventId), this::print);
    }

    private void print(EventView view) {
        Screen screen = context.screen();
        Times times = context.times();
        EventSummary event = view.event();
        EventState state = event.state();
        EventView.Arrival arrival = view.arrival();
        new FieldList()
                .add("event", event.eventId())
                .add("type", event.eventType())
                .add("state", Tables.state(Tables.lower(state.status())))
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
        new Table<FailedAttempt>()
                .number("failed attempt", FailedAttempt::attempt)
                .text("at", failed -> times.of(failed.failedAt()))
                .text("node", FailedAttempt::nodeId)
                .text("destination", FailedAttempt::destination)
                .text("error", FailedAttempt::error)
                .printBelow(screen, view.attempts());
        new Table<Acknowledged>()
                .text("acknowledged by", Acknowledged::target)
                .text("at", acknowledged -> times.of(acknowledged.acknowledgedAt()))
                .printBelow(screen, view.acknowledged());
        new Tables(times).audit().printBelow(screen, view.acts());
    }

    private static String attempts(EventView view) {
        Integer max = view.maxAttempts();
        return view.event().state().attempts() + (max == null ? "" : " of " + max);
    }

    private String arrived(EventView.Arrival arrival) {
        return arrival.place() + " of " + arrival.destination() + ", by " + arrival.nodeId() + ", "
                + context.times().of(arrival.at());
    }

    int reveal(String eventId) {
        return context.run(new Request.Reveal(eventId), payload -> {
            print(payload);
            Payload original = payload.original();
            if (original != null) {
                context.screen().print("");
                context.screen().print("The payload was edited. It was published as:");
                print(original);
            }
        });
    }

    private void print(Payload payload) {
        FieldList headers = new FieldList();
        new TreeMap<>(payload.headers()).forEach((name, value) -> headers.add(Lines.single(name), value));
        headers.print(context.screen());
        String json = payload.json();
        String base64 = payload.base64();
        if (json != null) {
            context.screen().print(Lines.plain(json));
        } else {
            context.screen().print(base64 == null ? "The event has no payload." : "Binary, in Base64: " + base64);
        }
    }
}
