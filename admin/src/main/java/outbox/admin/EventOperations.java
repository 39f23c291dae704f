package outbox.admin;

import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.admin.Operation.Request;
import outbox.admin.view.DestinationView;
import outbox.admin.view.OperationResult;
import outbox.admin.view.RouteView;
import outbox.model.EventStatus;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.ClusterReport;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause;

/** What an operator does to events and to the cluster, chunk by chunk, and what is said about it. */
record EventOperations(AdminStores stores, @Nullable RunningRelay live, String who) {

    /** How far a dry run counts. */
    static final int COUNT_MAX = 10_000;

    /** How many chunks one purge deletes, so that deleting millions does not fill the audit. */
    private static final int PURGE_CHUNKS_MAX = 10;

    private OperatorAction act(@Nullable String reason) {
        return new OperatorAction(who, reason == null || reason.isBlank() ? null : reason);
    }

    // ---- events --------------------------------------------------------------------------------------------------

    OperationResult replay(Request.Replay request) {
        requireSettled(request.selection());
        if (request.dryRun()) {
            return request.after() == null
                    ? counted(stores.events().count(request.selection(), COUNT_MAX), "would be delivered again")
                    : uncounted(request.after());
        }
        return acted(
                stores.events().replay(request.selection(), request.after(), Request.CHUNK_MAX, act(request.reason())),
                " made new, to be delivered again");
    }

    // Without a state a filter means done events too: whoever forgets it would send everything twice.
    private static void requireSettled(Selection selection) {
        if (selection instanceof Selection.Matching matching) {
            State state = matching.filter().state();
            if (state != State.DEAD && state != State.DONE) {
                throw new IllegalArgumentException("to replay everything that matches, say of which state: dead or done"
                        + (state == null ? "; none was given" : "; pending events are delivered anyway"));
            }
        }
    }

    OperationResult discard(Request.Discard request) {
        Selection selection = dead(request.selection());
        if (request.dryRun()) {
            return request.after() == null
                    ? counted(countDead(selection), "would be given up, never to be delivered")
                    : uncounted(request.after());
        }
        return acted(
                stores.events().discard(selection, request.after(), Request.CHUNK_MAX, act(request.reason())),
                " given up, not to be delivered");
    }

    private static Selection dead(Selection selection) {
        if (selection instanceof Selection.Matching matching) {
            State state = matching.filter().state();
            if (state != null && state != State.DEAD) {
                throw new IllegalArgumentException("only dead events can be discarded, and the filter means "
                        + matching.filter().describe());
            }
            return new Selection.Matching(matching.filter().withState(State.DEAD));
        }
        return selection;
    }

    private BoundedCount countDead(Selection selection) {
        return switch (selection) {
            case Selection.Matching matching -> stores.events().count(matching, COUNT_MAX);
            case Selection.Ids ids ->
                new BoundedCount(ids.eventIds().stream().filter(this::isDead).count(), false);
        };
    }

    private boolean isDead(String eventId) {
        return stores.events()
                .find(eventId)
                .filter(event -> event.status() == EventStatus.DEAD)
                .isPresent();
    }

    OperationResult edit(Request.Edit request) {
        String eventId = request.eventId();
        boolean changed;
        try {
            changed = stores.events().edit(eventId, request.edit(), act(request.reason()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the payload " + e.getMessage(), e);
        }
        if (!changed) {
            EventStatus status = stores.events()
                    .find(eventId)
                    .orElseThrow(() -> new NoSuchElementException("there is no event " + eventId))
                    .status();
            throw new IllegalArgumentException("only a dead event can be changed, and " + eventId + " is " + status);
        }
        if (!request.replay()) {
            return new OperationResult(1, "Event " + eventId + " is changed; it stays dead until replayed");
        }
        return replayEdited(eventId, act(request.reason()));
    }

    // Another transaction than the edit: what was changed stays changed, and doing it again changes nothing twice.
    private OperationResult replayEdited(String eventId, OperatorAction act) {
        ChangedEvents replayed;
        try {
            replayed = stores.events().replay(new Selection.Ids(List.of(eventId)), null, 1, act);
        } catch (OutboxException e) {
            throw new OutboxException("event " + eventId + " is changed, but not replayed: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "event " + eventId + " is changed, but not replayed: " + e.getMessage(), e);
        }
        return replayed.eventIds().isEmpty()
                ? new OperationResult(1, "Event " + eventId + " is changed; somebody else has settled it since")
                : acted(replayed, " changed and made new, to be delivered again");
    }

    OperationResult purge(Request.Purge request) {
        Duration olderThan = request.olderThan();
        String subject = "done events older than " + Phrases.lasting(olderThan);
        if (request.dryRun()) {
            EventFilter before = EventFilter.ALL
                    .withState(State.DONE)
                    .createdBetween(null, stores.events().cluster().now().minus(olderThan));
            BoundedCount most = stores.events().count(new Selection.Matching(before), COUNT_MAX);
            return new OperationResult(
                    most.counted(), most.more(), true, null, "At most " + most + " " + subject + " would be deleted");
        }
        int deleted = 0;
        int chunk = Request.CHUNK_MAX;
        try {
            for (int n = 0; n < PURGE_CHUNKS_MAX && chunk == Request.CHUNK_MAX; n++) {
                chunk = stores.retention().purgeDone(olderThan, Request.CHUNK_MAX);
                deleted += chunk;
            }
        } catch (RuntimeException e) {
            notePurged(deleted, " deleted, then it failed", subject, e);
            throw e;
        }
        notePurged(deleted, " deleted", subject, null);
        return new OperationResult(
                deleted, chunk == Request.CHUNK_MAX, false, null, Phrases.events(deleted) + " deleted");
    }

    private void notePurged(int deleted, String how, String subject, @Nullable RuntimeException failure) {
        if (deleted > 0) {
            noteBeside(failure, act(deleted + how), Operation.PURGE, subject);
        }
    }

    /** Writes down what was done before something failed, whose failure is the one that counts. */
    private void noteBeside(
            @Nullable RuntimeException failure, OperatorAction act, Operation operation, String subject) {
        try {
            stores.events().note(act, operation.word(), subject);
        } catch (RuntimeException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
        }
    }

    private static OperationResult counted(BoundedCount count, String says) {
        return new OperationResult(count.counted(), count.more(), true, null, Phrases.counted(count, COUNT_MAX, says));
    }

    /** What a dry run says that begins in the middle: nothing counts from there, and the whole would be too many. */
    static OperationResult uncounted(String after) {
        return new OperationResult(0, true, true, after, "What is left was not counted again");
    }

    private OperationResult acted(ChangedEvents acted, String says) {
        int changed = acted.eventIds().size();
        List<String> keys = changed == 0 ? List.of() : keysPausedBy(Set.copyOf(acted.eventIds()));
        String unfinished = acted.next() == null ? "" : "; not all was looked at yet";
        return new OperationResult(
                changed,
                acted.next() != null,
                false,
                acted.next(),
                keys,
                Phrases.events(changed) + says + unfinished + Phrases.stillPaused(keys));
    }

    private List<String> keysPausedBy(Set<String> eventIds) {
        return stores.cluster().pauses().stream()
                .filter(hold ->
                        PauseText.deadEvent(hold).filter(eventIds::contains).isPresent())
                .map(hold -> hold.subject().name())
                .toList();
    }

    // ---- the cluster ---------------------------------------------------------------------------------------------

    OperationResult pause(Request.Pause request) {
        requireThere(request.subject());
        boolean added = stores.cluster().pause(request.subject(), request.reason(), who);
        String what = PauseText.subject(request.subject());
        return new OperationResult(added ? 1 : 0, what + (added ? " is on hold" : " was on hold already"));
    }

    OperationResult resume(Pause.Subject subject) {
        boolean removed = stores.cluster().resume(subject, who);
        String what = PauseText.subject(subject);
        return new OperationResult(removed ? 1 : 0, what + (removed ? " goes on" : " was not on hold"));
    }

    OperationResult drain(Request.Drain request) {
        String nodeId = request.nodeId();
        Pause.Subject node = new Pause.Subject(Pause.Kind.NODE, nodeId);
        requireThere(node);
        boolean added = stores.cluster().pause(node, request.reason(), who);
        boolean anyLeft = !ClusterPicture.of(stores).able().isEmpty();
        String says = (added ? "node " + nodeId + " hands its work over" : "node " + nodeId + " was drained already")
                + (anyLeft
                        ? ""
                        : "; no other node can take it, so nothing is delivered until one is resumed or started");
        return new OperationResult(added ? 1 : 0, says);
    }

    /** A hold on what is not there would do nothing, and nobody would notice. */
    private void requireThere(Pause.Subject subject) {
        String name = subject.name();
        switch (subject.kind()) {
            case SOURCE, KEY -> {}
            case PARTITION -> {
                int partitions = stores.events().cluster().partitions().size();
                if (Integer.parseInt(name) >= partitions) {
                    throw new NoSuchElementException("there is no partition " + name + ": "
                            + (partitions == 0 ? "there are none" : "they are 0 to " + (partitions - 1)));
                }
            }
            case NODE -> requireAmong("node", name, nodeIds());
            case ROUTE ->
                requireKnown("route", name, relay -> relay.routes(null).stream().map(RouteView::name));
            case DESTINATION ->
                requireKnown(
                        "destination",
                        name,
                        relay -> relay.destinations().stream().map(DestinationView::name));
        }
    }

    /** Without a running relay, what there is cannot be known. */
    private void requireKnown(String what, String name, Function<RunningRelay, Stream<String>> names) {
        if (live != null) {
            requireAmong(what, name, names.apply(live).toList());
        }
    }

    private List<String> nodeIds() {
        return stores.events().cluster().nodes().stream()
                .map(ClusterReport.Node::member)
                .map(member -> member.nodeId())
                .distinct()
                .toList();
    }

    private static void requireAmong(String what, String name, List<String> names) {
        if (!names.contains(name)) {
            throw new NoSuchElementException("there is no " + what + " " + name
                    + (names.isEmpty() ? ", and no other" : ", there are " + String.join(", ", names)));
        }
    }
}
