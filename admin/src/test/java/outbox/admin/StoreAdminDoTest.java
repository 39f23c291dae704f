package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static outbox.admin.Source.ids;
import static outbox.admin.Source.matching;
import static outbox.admin.Source.subject;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import outbox.admin.view.Payload;
import outbox.model.EventStatus;
import outbox.spi.RetentionStore;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.OperatorStore;
import outbox.spi.relay.Member;
import outbox.spi.relay.Pause;
import outbox.spi.relay.Pause.Kind;

/** What an operator does, once and in chunks, and what the audit has of it. */
class StoreAdminDoTest {

    private final Source source = new Source();
    private final Member node = source.nodeWithAll("node-1");

    private String dead(String error) {
        String id = source.publish();
        source.die(id, error);
        return id;
    }

    private List<String> audited() {
        return source.annasActs().stream()
                .map(entry -> entry.action() + " " + entry.subject())
                .toList();
    }

    // ---- replay --------------------------------------------------------------------------------------------------

    @Test
    void replaysWhatWasChosenAndSaysSo() {
        String id = dead("broken");

        OperationResult done = source.admin().run(new Request.Replay(ids(id, "no-such"), false, "repaired"));

        assertThat(done)
                .isEqualTo(new OperationResult(1, false, false, null, "1 event made pending, to be delivered again"));
        assertThat(source.event(id).status()).isEqualTo(EventStatus.NEW);
        assertThat(audited()).containsExactly("replay " + id);
        assertThat(source.annasActs().get(0).detail()).endsWith("why: repaired");
        assertThat(source.admin()
                        .run(new Request.Replay(ids(id), false, "repaired"))
                        .changed())
                .isZero();
        assertThat(audited()).hasSize(1);
    }

    @Test
    void aDryRunCountsAndChangesNothing() {
        String id = dead("broken");
        dead("broken");

        OperationResult done = source.admin().run(new Request.Replay(matching(State.DEAD), true, null));

        assertThat(done)
                .isEqualTo(new OperationResult(2, false, true, null, "2 would match and would be delivered again"));
        assertThat(source.event(id).status()).isEqualTo(EventStatus.DEAD);
        assertThat(audited()).isEmpty();
    }

    @Test
    void replaysManyInChunks() {
        for (int n = 0; n < Request.CHUNK_MAX + 5; n++) {
            dead("broken");
        }

        OperationResult first = source.admin().run(new Request.Replay(matching(State.DEAD), false, null));
        source.events(State.PENDING).forEach(id -> source.die(id, "broken again"));
        OperationResult second =
                source.admin().run(new Request.Replay(matching(State.DEAD), false, null, first.next()));

        assertThat(first.changed()).isEqualTo(Request.CHUNK_MAX);
        assertThat(first.more()).isTrue();
        assertThat(second)
                .as("those that died again are not among them")
                .isEqualTo(new OperationResult(5, false, false, null, "5 events made pending, to be delivered again"));
    }

    @Test
    void saysThatNothingIsLeftWhenTheLastChunkIsFull() {
        for (int n = 0; n < Request.CHUNK_MAX; n++) {
            dead("broken");
        }

        OperationResult only = source.admin().run(new Request.Discard(matching(State.DEAD), false, "a test"));

        assertThat(only.changed()).isEqualTo(Request.CHUNK_MAX);
        assertThat(only.more()).isFalse();
        assertThat(only.next()).isNull();
    }

    @Test
    void aDryRunSaysWhenItsSearchHadToEnd() {
        assertThat(Phrases.counted(new BoundedCount(7, false), 100, "would go"))
                .isEqualTo("7 would match and would go");
        assertThat(Phrases.counted(new BoundedCount(100, true), 100, "would go"))
                .isEqualTo("more than 100 would match and would go");
        assertThat(Phrases.counted(new BoundedCount(7, true), 100, "would go"))
                .isEqualTo(
                        "At least 7 would match and would go; there may be more, because the search ended" + " early");
        assertThat(Phrases.counted(new BoundedCount(0, true), 100, "would go"))
                .startsWith("None found so far that would match and would go; there may be more");
    }

    @Test
    void aDryRunThatGoesOnDoesNotCount() {
        dead("broken");
        dead("broken");

        for (OperationResult done : List.of(
                source.admin().run(new Request.Replay(matching(State.DEAD), true, null, "place")),
                source.admin().run(new Request.Discard(matching(State.DEAD), true, "a test", "place")))) {
            assertThat(done).isEqualTo(new OperationResult(0, true, true, "place", "The rest was not counted again"));
        }
    }

    @Test
    void refusesToReplayEverythingWithoutAState() {
        assertThatThrownBy(() -> source.admin().run(new Request.Replay(matching(null), true, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs the state dead or done");
        assertThatThrownBy(() -> source.admin().run(new Request.Replay(matching(State.RETRY), false, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pending events are delivered anyway");
    }

    @Test
    void saysThatAKeyIsStillOnHoldBecauseOfAReplayedEvent() {
        String id = source.publish("k");
        source.dieAndHalt(id, "broken", "k");

        OperationResult done = source.admin().run(new Request.Replay(ids(id), false, null));

        assertThat(done.message()).endsWith(". Key k is still paused: resume it");
    }

    // ---- discard, edit, reveal, purge ----------------------------------------------------------------------------

    @Test
    void discardsDeadEventsOnly() {
        String id = dead("broken");
        String done = source.publish();
        source.done(done);

        OperationResult dry = source.admin().run(new Request.Discard(ids(id, done), true, "a test"));
        OperationResult real = source.admin().run(new Request.Discard(matching(null), false, "a test"));

        assertThat(dry)
                .isEqualTo(new OperationResult(
                        1, false, true, null, "1 would match and would be discarded, never to be delivered"));
        assertThat(real)
                .isEqualTo(new OperationResult(1, false, false, null, "1 event discarded, not to be delivered"));
        assertThat(source.event(id).status()).isEqualTo(EventStatus.DONE);
        assertThat(audited()).containsExactly("discard " + id);
        assertThatThrownBy(() -> source.admin().run(new Request.Discard(matching(State.DONE), true, "a test")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only dead events can be discarded");
        assertThatThrownBy(() -> new Request.Discard(ids(id), false, " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a reason");
    }

    @Test
    void refusesToPauseAKeyWithoutAName() {
        Pause.Subject unnamed = new Pause.Subject(Pause.Kind.KEY, "");

        assertThatThrownBy(() -> new Request.Pause(unnamed, "a test"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a pause of KEY needs a name");
    }

    @Test
    void changesADeadEventAndReplaysItIfAsked() {
        String id = dead("broken");
        EventEdit edit = new EventEdit("{\"a\":2}", null);

        OperationResult changed = source.admin().run(new Request.Edit(id, edit, false, "a typo"));
        assertThat(changed.message()).contains("stays dead");
        assertThat(source.event(id).status()).isEqualTo(EventStatus.DEAD);

        OperationResult replayed = source.admin().run(new Request.Edit(id, edit, true, "a typo"));
        assertThat(replayed.message()).isEqualTo("1 event changed and made pending, to be delivered again");
        assertThat(source.event(id).status()).isEqualTo(EventStatus.NEW);
        assertThat(source.event(id).payloadJson()).isEqualTo("{\"a\":2}");
        assertThat(audited()).containsExactly("edit " + id, "edit " + id, "replay " + id);
        assertThat(source.admin().run(new Request.Event(id)).edited()).isTrue();
    }

    @Test
    void refusesAnEditThatMakesNoSense() {
        String id = dead("broken");
        String pending = source.publish();

        assertThatThrownBy(
                        () -> source.admin().run(new Request.Edit(id, new EventEdit("{\"a\":", null), true, "a typo")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the payload is not JSON: the end at character 5");
        assertThatThrownBy(
                        () -> source.admin().run(new Request.Edit(pending, new EventEdit("1", null), true, "a typo")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is NEW");
        assertThatThrownBy(
                        () -> source.admin().run(new Request.Edit("no-such", new EventEdit("1", null), true, "a typo")))
                .isInstanceOf(NoSuchElementException.class);
        assertThat(source.event(id).status()).isEqualTo(EventStatus.DEAD);
        assertThat(audited()).isEmpty();
    }

    @Test
    void revealsWhatAnEventCarriesAndWritesDownThatItDid() {
        String id = source.publish(builder -> builder.header("h", "v"));
        source.die(id, "broken");
        source.admin().run(new Request.Edit(id, new EventEdit("2", Map.of()), false, "a typo"));

        Payload payload = source.admin().run(new Request.Reveal(id));

        assertThat(payload)
                .isEqualTo(new Payload("2", null, Map.of(), new Payload("{\"a\":1}", null, Map.of("h", "v"), null)));
        assertThat(audited()).last().isEqualTo("reveal " + id);
    }

    @Test
    void revealsBytesAndHeadersThatCannotBeRead() {
        String id = source.publish(builder -> builder.payloadJson(null).payloadBytes(new byte[] {1, 2}));
        source.store.corruptHeaders(id, "not json");

        Payload payload = source.admin().run(new Request.Reveal(id));

        assertThat(payload).isEqualTo(new Payload(null, "AQI=", Map.of(Payloads.UNREADABLE, "not json"), null));
    }

    @Test
    void purgesWhatIsDoneAndOldEnough() {
        for (int n = 0; n < 3; n++) {
            source.done(source.publish());
        }
        source.publish();
        source.time.advance(Duration.ofDays(8));
        source.nodeWithAll("node-2");
        source.done(source.publish());
        Request.Purge week = new Request.Purge(Duration.ofDays(7), false);

        OperationResult dry = source.admin().run(new Request.Purge(Duration.ofDays(7), true));
        OperationResult done = source.admin().run(week);

        assertThat(dry.changed()).isEqualTo(3);
        assertThat(dry.dryRun()).isTrue();
        assertThat(done).isEqualTo(new OperationResult(3, false, false, null, "3 events deleted"));
        assertThat(source.store.events()).hasSize(2);
        assertThat(source.annasActs()).extracting(AuditEntry::detail).containsExactly("3 deleted");
        assertThat(audited()).containsExactly("purge done events older than 7 d 0 h");
        assertThat(source.admin().run(week).changed()).isZero();
        assertThat(audited()).hasSize(1);
    }

    @Test
    void purgesMuchInSeveralRequests() {
        for (int n = 0; n < 10 * Request.CHUNK_MAX + 1; n++) {
            source.done(source.publish());
        }
        Request.Purge all = new Request.Purge(Duration.ZERO, false);

        assertThat(source.admin().run(all).more()).isTrue();
        assertThat(source.admin().run(all)).isEqualTo(new OperationResult(1, false, false, null, "1 event deleted"));
    }

    @Test
    void aPurgeThatFailsInTheMiddleIsWrittenDownAsFarAsItGot() {
        AdminStores stores = source.stores();
        AtomicInteger chunks = new AtomicInteger();
        RetentionStore failing = (olderThan, max) -> {
            if (chunks.incrementAndGet() == 3) {
                throw new OutboxException("the database is gone");
            }
            return max;
        };
        StoreAdmin admin = new StoreAdmin(
                new AdminStores(stores.events(), stores.cluster(), stores.statistics(), failing, stores.diagnosis()),
                null,
                "anna");

        assertThatThrownBy(() -> admin.run(new Request.Purge(Duration.ofDays(1), false)))
                .hasMessage("the database is gone");

        assertThat(source.annasActs()).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("purge");
            assertThat(entry.detail()).isEqualTo("2000 deleted, then it failed");
        });
    }

    @Test
    void anEditWhoseReplayFailsSaysThatTheEventIsChanged() {
        String id = dead("broken");
        OperatorStore real = source.store.operatorStore();
        OperatorStore failing = (OperatorStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OperatorStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("replay")) {
                        throw new OutboxException("the database is gone");
                    }
                    return method.invoke(real, arguments);
                });
        AdminStores stores = source.stores();
        StoreAdmin admin = new StoreAdmin(
                new AdminStores(failing, stores.cluster(), stores.statistics(), stores.retention(), stores.diagnosis()),
                null,
                "anna");
        Request.Edit edit = new Request.Edit(id, new EventEdit("{}", null), true, "typo");

        assertThatThrownBy(() -> admin.run(edit))
                .isInstanceOf(OutboxException.class)
                .hasMessage("event " + id + " is changed, but not replayed: the database is gone");
        assertThat(source.event(id).payloadJson()).isEqualTo("{}");
        assertThat(source.event(id).status()).isEqualTo(EventStatus.DEAD);

        assertThat(source.admin().run(edit).changed()).as("again").isEqualTo(1);
        assertThat(source.event(id).status()).isEqualTo(EventStatus.NEW);
    }

    // ---- pause, resume, drain, rebalance -------------------------------------------------------------------------

    @Test
    void pausesAndResumesOnce() {
        Request.Pause pause = new Request.Pause(subject(Kind.KEY, "k"), "wait");

        assertThat(source.admin().run(pause)).isEqualTo(new OperationResult(1, false, false, null, "key k is paused"));
        assertThat(source.admin().run(pause).changed()).isZero();
        assertThat(source.admin().run(new Request.Pauses())).hasSize(1);
        assertThat(source.admin().run(new Request.Resume(pause.subject())))
                .isEqualTo(new OperationResult(1, false, false, null, "key k continues"));
        assertThat(source.admin().run(new Request.Resume(pause.subject())).changed())
                .isZero();
        assertThat(audited()).containsExactly("hold key k", "resume key k");
    }

    @Test
    void refusesToPauseWhatIsNotThere() {
        source.live = new FakeRelay();
        for (Pause.Subject missing : List.of(
                subject(Kind.PARTITION, "6"),
                subject(Kind.NODE, "node-9"),
                subject(Kind.ROUTE, "nowhere"),
                subject(Kind.DESTINATION, "nowhere"))) {
            assertThatThrownBy(() -> source.admin().run(new Request.Pause(missing, "wait")))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("there is no");
        }
        source.admin().run(new Request.Pause(subject(Kind.PARTITION, "5"), "wait"));
        source.admin().run(new Request.Pause(subject(Kind.ROUTE, "all"), "wait"));
        source.admin().run(new Request.Pause(subject(Kind.DESTINATION, "kafka"), "wait"));
        assertThat(source.admin().run(new Request.Pauses())).hasSize(3);
    }

    @Test
    void drainsANodeUntilItIsResumed() {
        assertThat(source.admin().run(new Request.Drain("node-1", "upgrade")).message())
                .isEqualTo("node node-1 hands its work over; no other node can take over, so nothing is delivered until"
                        + " a node is resumed or started");
        source.node("node-2");
        assertThat(source.admin().run(new Request.Drain("node-1", "upgrade")))
                .isEqualTo(new OperationResult(0, false, false, null, "node node-1 was already drained"));
        assertThat(source.admin().run(new Request.Nodes()).get(0).drained()).isTrue();

        source.admin().run(new Request.Resume(subject(Kind.NODE, "node-1")));

        assertThat(source.admin().run(new Request.Nodes()).get(0).drained()).isFalse();
        assertThat(audited()).containsExactly("hold node node-1", "resume node node-1");
        assertThatThrownBy(() -> source.admin().run(new Request.Drain("node-9", "upgrade")))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("there is no node node-9, there are node-1, node-2");
    }

    @Test
    void rebalancingWithoutANumberSaysHowPartitionsAreSpread() {
        source.time.advance(Source.TIMEOUT);
        source.node("node-2", 0, 1, 2);
        source.node("node-3", 4, 5);

        assertThat(source.admin().run(new Request.Rebalance(null)))
                .isEqualTo(new OperationResult(
                        0,
                        false,
                        false,
                        null,
                        "live nodes spread the partitions automatically, by weight; now node-2 has [0, 1, 2], node-3 has"
                                + " [4, 5], 1 has no owner"));
        assertThat(audited()).as("nothing was changed").isEmpty();
    }

    @Test
    void rebalancingChangesTheNumberOfPartitionsOnce() {
        OperationResult done = source.admin().run(new Request.Rebalance(9));

        assertThat(done.changed()).isEqualTo(1);
        assertThat(done.message()).startsWith("from 6 to 9 partitions");
        assertThat(source.store.operatorStore().cluster().partitionsWanted()).isEqualTo(9);
        assertThat(source.admin().run(new Request.Rebalance(9)).changed()).isZero();
        assertThat(audited()).containsExactly("change partitions outbox");
        assertThatThrownBy(() -> source.admin().run(new Request.Rebalance(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from 1 to 1024");
        assertThatThrownBy(() -> new Source().admin().run(new Request.Rebalance(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no partitions");
        assertThat(node.nodeId()).isEqualTo("node-1");
    }
}
