package catbox.mutations;

import static catbox.mutations.Mutation.edit;
import static catbox.mutations.Mutation.mutation;

import java.util.List;

/** What is read of the store, and when. */
final class ClaimMutations {

    private static final Catcher FEW = new Catcher.Seeds(Catcher.GATE_SEEDS_MAX);
    private static final Catcher MANY = new Catcher.Seeds(1_500);

    static final List<Mutation> ALL = List.of(
            mutation(
                    "reads behind the last row seen",
                    "a transaction that commits late is skipped, or overtaken by a younger one",
                    FEW,
                    edit(
                            "outbox/relay/internal/claim/PartitionReader.java",
                            "bound = Math.max(bound, Math.min(seq, readTo(page)));",
                            "bound = page.events().isEmpty() ? bound : page.events().getLast().seq();")),
            mutation(
                    "retry does not stop its lane",
                    "what is behind a failed event would overtake it",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "public boolean keepsOrder() { return true; }",
                            "public boolean keepsOrder() { return false; }")),
            mutation(
                    "wake up swallowed",
                    "what was committed lies there although every node was notified",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "public void wake() { fetchWanted.set(true); }",
                            "public void wake() { }")),
            mutation(
                    "prefetched and settled since",
                    "what was settled after a fetch for several partitions is taken for pending, and delivered again",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "if (cursor.removals() != lanes.removals() ||",
                            "if (cursor.removals() < 0 ||")),
            mutation(
                    "fetch of a lane forgotten when the store fails",
                    "a parked key is never taken up again",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "lanes.fetchFailed(ids); throw e;",
                            "throw e;")),
            mutation(
                    "delayed events forgotten",
                    "the scan has passed them before they were due",
                    FEW,
                    edit("outbox/relay/internal/claim/Peeker.java", "loop.cameDue(due);", "loop.wake();")),
            mutation(
                    "acknowledgements not read",
                    "after a crash an event goes again where it was acknowledged",
                    FEW,
                    edit(
                            "outbox/relay/internal/claim/Fetcher.java",
                            "return ids.isEmpty() ? Map.of() : store.acknowledged(ids);",
                            "return Map.of();")),
            mutation(
                    "read before its acknowledgements are known",
                    "a read that fails leaves events behind that were never taken up",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "lanes.accept(reader.accept(page), time().nanoTime());",
                            "lanes.accept(fetcher.withAcknowledgements(reader.accept(page)), time().nanoTime());"),
                    edit(
                            "outbox/relay/internal/claim/Fetcher.java",
                            "List<PartitionPage> pages = store.fetch(requests);"
                                    + " Map<String, Set<String>> targets = acknowledged(",
                            "List<PartitionPage> pages = store.fetch(requests);"
                                    + " Map<String, Set<String>> targets = true ? Map.of() : acknowledged(")),
            mutation(
                    "wake-up during a fetch swallowed",
                    "what was committed while the partition was read waits for the next poll",
                    new Catcher.Test(
                            "relay", "outbox.relay.RelayPrefetchTest", "fetchesACommitThatWasNotifiedDuringAFetch"),
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "if (!fits || !fetchWanted.getAndSet(false)) { return 0; }",
                            "if (!fits || !fetchWanted.get()) { return 0; }"),
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "return accept(lanes, cursor, fetcher.fetch(cursor.request()));",
                            "PartitionPage page = fetcher.fetch(cursor.request()); fetchWanted.set(false);"
                                    + " return accept(lanes, cursor, page);")),
            mutation(
                    "two events of one number",
                    "numbers have gone back, and a page ends between two events that were given the same one",
                    MANY,
                    edit(
                            "outbox/relay/internal/claim/PartitionReader.java",
                            "page.events().getLast().seq() - 1;",
                            "page.events().getLast().seq();")),
            mutation(
                    "bound kept when numbers go back",
                    "what is given a number below it waits until another node owns the partition",
                    FEW,
                    edit(
                            "outbox/relay/internal/claim/PartitionReader.java",
                            "case Horizon.SequenceReset reset -> { bound = 0; return List.of(); }",
                            "case Horizon.SequenceReset reset -> { return List.of(); }")),
            mutation(
                    "event known by its number alone",
                    "numbers have gone back, and an event is taken for another that is in memory",
                    MANY,
                    edit(
                            "outbox/relay/internal/order/LaneMemory.java",
                            "return new Place(event.seq(), event.event().eventId());",
                            "return new Place(event.seq(), \"\");"),
                    edit(
                            "outbox/relay/internal/order/LaneMemory.java",
                            "return inMemory.containsKey(new Place(seq, eventId));",
                            "return inMemory.containsKey(new Place(seq, \"\"));")),
            mutation(
                    "lanes kept when numbers go back",
                    "a key waits for the retry of an event that is gone",
                    new Catcher.Test("relay", "outbox.relay.RelaySequenceResetTest", ""),
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "lanes.sequenceReset();",
                            "lanes.removals();")),
            mutation(
                    "rows set aside for ever",
                    "what could not be taken at once is claimed and renewed, and never tried again",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/LeaseClaimer.java",
                            "now - setAsideNanos > setAsideForNanos && !setAside.isEmpty()",
                            "setAside.size() > 10_000")));

    private ClaimMutations() {}
}
