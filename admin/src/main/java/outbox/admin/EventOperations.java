package outbox.admin;

import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import outbox.OutboxException;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import outbox.model.EventStatus;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.Selection;

/** Replays, edits, discards and purges events, a bounded number with each request. */
record EventOperations(AdminStores stores, Audit audit) {

    /** How far a dry run counts. */
    static final int COUNT_MAX = 10_000;

    /** How many chunks one purge deletes, so that deleting millions does not fill the audit log. */
    private static final int PURGE_CHUNKS_MAX = 10;

    OperationResult replay(Request.Replay request) {
        requireSettled(request.selection());
        if (request.dryRun()) {
            return request.after() == null
                    ? counted(stores.events().count(request.selection(), COUNT_MAX), "would be delivered again")
                    : uncounted(request.after());
        }
        return changed(
                stores.events()
                        .replay(
                                request.selection(),
                                request.after(),
                                Request.CHUNK_MAX,
                                audit.action(request.reason())),
                " made pending, to be delivered again");
    }

    // A filter without a state includes done events, so forgetting the state would deliver everything twice.
    private static void requireSettled(Selection selection) {
        if (selection instanceof Selection.Matching matching) {
            State state = matching.filter().state();
            if (state != State.DEAD && state != State.DONE) {
                throw new IllegalArgumentException("replaying all matching events needs the state dead or done"
                        + (state == null ? "; none was given" : "; pending events are delivered anyway"));
            }
        }
    }

    OperationResult discard(Request.Discard request) {
        Selection selection = dead(request.selection());
        if (request.dryRun()) {
            return request.after() == null
                    ? counted(countDead(selection), "would be discarded, never to be delivered")
                    : uncounted(request.after());
        }
        return changed(
                stores.events().discard(selection, request.after(), Request.CHUNK_MAX, audit.action(request.reason())),
                " discarded, not to be delivered");
    }

    private static Selection dead(Selection selection) {
        if (selection instanceof Selection.Matching matching) {
            State state = matching.filter().state();
            if (state != null && state != State.DEAD) {
                throw new IllegalArgumentException("only dead events can be discarded, and the filter selects "
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
            changed = stores.events().edit(eventId, request.edit(), audit.action(request.reason()));
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
        return request.replay()
                ? replayEdited(eventId, request.reason())
                : new OperationResult(1, "Event " + eventId + " is changed; it stays dead until it is replayed");
    }

    // In a transaction after the edit: the change remains if the replay fails, and repeating both changes nothing
    // twice.
    private OperationResult replayEdited(String eventId, String reason) {
        ChangedEvents replayed;
        try {
            replayed = stores.events().replay(new Selection.Ids(List.of(eventId)), null, 1, audit.action(reason));
        } catch (OutboxException e) {
            throw new OutboxException(notReplayed(eventId, e), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(notReplayed(eventId, e), e);
        }
        return replayed.eventIds().isEmpty()
                ? new OperationResult(1, "Event " + eventId + " is changed; another process has settled it since")
                : changed(replayed, " changed and made pending, to be delivered again");
    }

    private static String notReplayed(String eventId, RuntimeException failure) {
        return "event " + eventId + " is changed, but not replayed: " + failure.getMessage();
    }

    OperationResult purge(Request.Purge request) {
        Duration olderThan = request.olderThan();
        String subject = "done events older than " + Phrases.lasting(olderThan);
        if (request.dryRun()) {
            EventFilter before = EventFilter.ALL
                    .withState(State.DONE)
                    .createdBetween(null, stores.events().cluster().now().minus(olderThan));
            BoundedCount most = stores.events().count(new Selection.Matching(before), COUNT_MAX);
            return OperationResult.counted(most, "At most " + most + " " + subject + " would be deleted");
        }
        int deleted = 0;
        int chunk = Request.CHUNK_MAX;
        try {
            for (int n = 0; n < PURGE_CHUNKS_MAX && chunk == Request.CHUNK_MAX; n++) {
                chunk = stores.retention().purgeDone(olderThan, Request.CHUNK_MAX);
                deleted += chunk;
            }
        } catch (RuntimeException e) {
            if (deleted > 0) {
                audit.noteFailure(e, Operation.PURGE, subject, deleted + " deleted, then it failed");
            }
            throw e;
        }
        if (deleted > 0) {
            audit.note(Operation.PURGE, subject, deleted + " deleted");
        }
        return new OperationResult(
                deleted, chunk == Request.CHUNK_MAX, false, null, Phrases.events(deleted) + " deleted");
    }

    private static OperationResult counted(BoundedCount count, String wouldBe) {
        return OperationResult.counted(count, Phrases.counted(count, COUNT_MAX, wouldBe));
    }

    /** The dry run of a rest, which is not counted: that would read everything again. */
    static OperationResult uncounted(String after) {
        return new OperationResult(0, true, true, after, "The rest was not counted again");
    }

    private OperationResult changed(ChangedEvents changed, String how) {
        List<String> ids = changed.eventIds();
        List<String> keys = ids.isEmpty() ? List.of() : keysPausedBy(Set.copyOf(ids));
        boolean more = changed.next() != null;
        String message = Phrases.events(ids.size())
                + how
                + (more ? "; the search has not read everything yet" : "")
                + Phrases.stillPaused(keys);
        return new OperationResult(ids.size(), more, false, changed.next(), keys, message);
    }

    private List<String> keysPausedBy(Set<String> eventIds) {
        return stores.cluster().pauses().stream()
                .filter(pause ->
                        PauseText.deadEvent(pause).filter(eventIds::contains).isPresent())
                .map(pause -> pause.subject().name())
                .toList();
    }
}
