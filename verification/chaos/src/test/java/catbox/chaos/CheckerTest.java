package catbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.chaos.Disturbance.Victim;
import catbox.chaos.Findings.Fault;
import catbox.chaos.History.Committed;
import catbox.chaos.WriterLog.Fate;
import catbox.chaos.WriterLog.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.internal.KeyHash;

/** Checks the checker with histories that have one fault each. */
class CheckerTest {

    private static final int DONE = 1;
    private static final int RETRY = 2;
    private static final int DEAD = 3;
    private static final long SECOND = 1_000_000;

    private final List<Committed> committed = new ArrayList<>();
    private final List<Written> written = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>();
    private long now = 100 * SECOND;

    @Test
    void findsNoFaultWhenAllArriveInOrder() {
        commit("k", 1, 2, 3);
        commit("other", 1);
        arrive("a", "k", 1);
        arrive("a", "other", 1);
        arrive("b", "k", 2, 3);

        assertThat(check().isGood()).isTrue();
        assertThat(check().duplicates()).isEmpty();
    }

    @Test
    void findsALostEvent() {
        commit("k", 1, 2, 3);
        arrive("a", "k", 1, 3);

        assertThat(faults()).containsOnlyKeys(Fault.LOST);
        assertThat(check().of(Fault.LOST)).singleElement().asString().contains("k number 2");
    }

    @Test
    void findsASwappedPair() {
        commit("k", 1, 2, 3, 4);
        arrive("a", "k", 1, 3, 2, 4);

        assertThat(faults()).containsOnlyKeys(Fault.ORDER);
        assertThat(check().of(Fault.ORDER)).singleElement().asString().contains("k number 3", "before k number 2");
    }

    @Test
    void usesTheJournalsOrderAndNotItsClocks() {
        commit("k", 1, 2);
        arrive("a", "k", 1);
        now -= 5 * SECOND;
        arrive("b", "k", 2);

        assertThat(check().isGood()).isTrue();
    }

    @Test
    void findsEveryEventThatArrivedBeforeALateOne() {
        commit("k", 1, 2, 3, 4);
        arrive("a", "k", 2, 3, 4, 1);

        assertThat(check().of(Fault.ORDER)).hasSize(3);
    }

    @Test
    void findsADuplicateWithoutAReason() {
        commit("k", 1, 2);
        arrive("a", "k", 1, 2, 2);

        assertThat(faults()).containsOnlyKeys(Fault.UNEXPLAINED);
        assertThat(check().of(Fault.UNEXPLAINED)).singleElement().asString().contains("k number 2");
    }

    @Test
    void repeatingEventsFromBeforeAKillIsNoFault() {
        commit("k", 1, 2, 3);
        arrive("a", "k", 1, 2);
        disturbances.add(new Disturbance.Killed(now, new Victim("a", Set.of(0), 6)));
        now += 4 * SECOND;
        arrive("b", "k", 1, 2, 3);

        assertThat(check().isGood()).isTrue();
        assertThat(check().duplicates()).isEqualTo(Map.of(Reason.KILLED, 2));
    }

    @Test
    void aKillExplainsNoEarlierOrForeignDelivery() {
        commit("k", 1, 2);
        arrive("a", "k", 1);
        now += 10 * SECOND;
        arrive("c", "k", 2);
        disturbances.add(new Disturbance.Killed(now, new Victim("a", Set.of(0), 6)));
        now += 4 * SECOND;
        arrive("b", "k", 1, 2);

        assertThat(check().of(Fault.UNEXPLAINED)).hasSize(2);
    }

    @Test
    void aThawedRelayMayDeliverItsEventsInFlight() {
        commit("k", 1);
        long frozen = now;
        now += 4 * SECOND;
        arrive("b", "k", 1);
        now += 4 * SECOND;
        disturbances.add(new Disturbance.Frozen(frozen, now, new Victim("a", Set.of(0), 6)));
        arrive("a", "k", 1);

        assertThat(check().isGood()).isTrue();
        assertThat(check().duplicates()).isEqualTo(Map.of(Reason.FROZEN, 1));
    }

    @Test
    void anOutageASimulatedFailureAndALostLeaseAreReasons() {
        commit("k", 1, 2, 3);
        entries.add(new Entry.Arrived(now, "a", new Entry.Sent(now, "k-1", new Numbered("k", 1)), false));
        now++;
        arrive("a", "k", 1, 2);
        disturbances.add(new Disturbance.Outage(now, now + SECOND));
        now += 10 * SECOND;
        arrive("b", "k", 2, 3);
        entries.add(new Entry.Lost(now, "b", 0, 1));
        now += SECOND;
        arrive("c", "k", 3);

        assertThat(check().isGood()).isTrue();
        assertThat(check().duplicates())
                .isEqualTo(Map.of(Reason.UNACKNOWLEDGED, 1, Reason.OUTAGE, 1, Reason.LEASE_LOST, 1));
    }

    @Test
    void aPlannedMoveIsNoReason() {
        commit("k", 1);
        arrive("a", "k", 1);
        entries.add(new Entry.Released(now, "a", 0, 0));
        disturbances.add(new Disturbance.Planned(now, now + SECOND, "a relay was stopped"));
        arrive("b", "k", 1);

        assertThat(faults()).containsOnlyKeys(Fault.UNEXPLAINED);
    }

    @Test
    void findsArrivalsThatWereNeverCommitted() {
        arrive("a", "k", 1);

        assertThat(faults()).containsOnlyKeys(Fault.PHANTOM);
    }

    @Test
    void findsPendingOrDeadEventsAfterTheEnd() {
        committed.add(new Committed("k-1", "k", 1, RETRY));
        committed.add(new Committed("k-2", "k", 2, DEAD));
        arrive("a", "k", 1, 2);

        assertThat(faults()).containsOnlyKeys(Fault.PENDING, Fault.DEAD);
    }

    @Test
    void findsRowsThatContradictTheirWriters() {
        commit("k", 1, 3);
        arrive("a", "k", 1, 3);
        written.add(new Written("k-1", Fate.ROLLED_BACK));
        written.add(new Written("k-2", Fate.COMMITTED));
        written.add(new Written("k-3", Fate.UNKNOWN));
        written.add(new Written("k-4", Fate.UNKNOWN));

        assertThat(check().of(Fault.STORE)).hasSize(3);
        assertThat(faults()).containsOnlyKeys(Fault.STORE);
    }

    @Test
    void findsARelayThatKeepsSendingWhenAnotherOwnsThePartition() {
        commit("k", 1, 2, 3);
        int partition = KeyHash.of("k") % Ownership.PARTITIONS_AT_FIRST;
        entries.add(new Entry.Acquired(now++, "a", partition, 1));
        arrive("a", "k", 1);
        entries.add(new Entry.Acquired(now++, "b", partition, 2));
        arrive("a", "k", 2);
        assertThat(check().of(Fault.OWNERSHIP)).as("one call may be late").isEmpty();

        arrive("a", "k", 3);

        assertThat(faults()).containsOnlyKeys(Fault.OWNERSHIP);
    }

    @Test
    void aRelayThatOwnsThePartitionAgainMaySend() {
        commit("k", 1, 2);
        int partition = KeyHash.of("k") % Ownership.PARTITIONS_AT_FIRST;
        entries.add(new Entry.Acquired(now++, "a", partition, 1));
        entries.add(new Entry.Acquired(now++, "b", partition, 2));
        entries.add(new Entry.Acquired(now++, "a", partition, 3));
        arrive("a", "k", 1, 2);

        assertThat(check().isGood()).isTrue();
    }

    @Test
    void measuresATakeoverUntilOthersOwnAllPartitions() {
        long killed = now;
        disturbances.add(new Disturbance.Killed(killed, new Victim("a", Set.of(0, 1), 2)));
        entries.add(new Entry.Acquired(killed + 3 * SECOND, "b", 0, 2));
        entries.add(new Entry.Acquired(killed + 4 * SECOND, "c", 1, 2));
        now = killed + 5 * SECOND;
        arrive("b", "k", 1);

        assertThat(Takeover.of(history())).singleElement().satisfies(takeover -> {
            assertThat(takeover.acquired()).isEqualTo(4 * SECOND);
            assertThat(takeover.delivered()).isEqualTo(5 * SECOND);
            assertThat(takeover.duringOutage()).isFalse();
        });
    }

    private void commit(String key, long... numbers) {
        for (long number : numbers) {
            committed.add(new Committed(key + "-" + number, key, number, DONE));
        }
    }

    private void arrive(String node, String key, long... numbers) {
        for (long number : numbers) {
            Entry.Sent sent = new Entry.Sent(now, key + "-" + number, new Numbered(key, number));
            entries.add(new Entry.Arrived(now, node, sent, true));
            now++;
        }
    }

    private History history() {
        return new History(committed, written, entries, disturbances);
    }

    private Findings check() {
        return Checker.check(history());
    }

    private Map<Fault, List<String>> faults() {
        return check().faults();
    }
}
