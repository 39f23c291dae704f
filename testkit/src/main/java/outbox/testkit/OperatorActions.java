package outbox.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditText;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;
import outbox.util.JsonCodec;

/** What operators do to events in memory, and what is kept of it. Guarded by the lock of its {@link Table}. */
final class OperatorActions {

    private final Table table;
    private final Registry registry;
    private final FencedSettle settle;
    private final Map<String, List<AuditEntry>> byEvent = new HashMap<>();
    private final Map<String, EventHistory.Original> originals = new HashMap<>();

    OperatorActions(Table table, Registry registry, FencedSettle settle) {
        this.table = table;
        this.registry = registry;
        this.settle = settle;
    }

    EventHistory history(String eventId) {
        if (table.find(eventId) == null) {
            return new EventHistory(List.of(), List.of(), List.of(), null);
        }
        return new EventHistory(
                settle.attempts(eventId),
                settle.acknowledgements(eventId),
                byEvent.getOrDefault(eventId, List.of()),
                originals.get(eventId));
    }

    List<String> replay(Selection selection, List<Row> rows, OperatorAction act) {
        long dead = rows.stream()
                .filter(row -> row.state().status() == EventStatus.DEAD)
                .count();
        rows.forEach(row -> table.replace(row.replayed(table.now())));
        String detail = AuditText.replayed((int) dead, rows.size() - (int) dead, act);
        return note(AuditText.REPLAY, selection, rows, act, detail);
    }

    List<String> discard(Selection selection, List<Row> rows, OperatorAction act) {
        for (Row row : rows) {
            table.replace(row.discarded(AuditText.discardedError(act), table.now()));
            settle.forgetAcknowledgements(row.id());
        }
        return note(AuditText.DISCARD, selection, rows, act, AuditText.discarded(rows.size(), act));
    }

    boolean edit(String eventId, EventEdit edit, OperatorAction act) {
        if (edit.payloadJson() != null) {
            JsonCodec.validate(edit.payloadJson());
        }
        Row row = table.find(eventId);
        if (row == null || row.state().status() != EventStatus.DEAD) {
            return false;
        }
        OutboxEvent before = row.read();
        originals.putIfAbsent(
                eventId,
                new EventHistory.Original(
                        before.payloadJson(), before.payloadBytes(), before.headersJson(), table.now()));
        table.replace(row.edited(edit));
        Selection one = new Selection.Ids(List.of(eventId));
        note(AuditText.EDIT, one, List.of(row), act, AuditText.edited(before, edit, act));
        return true;
    }

    private List<String> note(String action, Selection selection, List<Row> rows, OperatorAction act, String detail) {
        List<String> ids = rows.stream().map(Row::id).toList();
        if (!ids.isEmpty()) {
            AuditEntry entry = registry.note(act.who(), action, AuditText.subject(selection, ids), detail);
            ids.forEach(
                    id -> byEvent.computeIfAbsent(id, any -> new ArrayList<>()).add(entry));
        }
        return ids;
    }
}
