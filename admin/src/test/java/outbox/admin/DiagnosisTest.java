package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.admin.Source.subject;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.admin.Operation.Request;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.FindingCode;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause.Kind;

/** The doctor finds each fault that is made, and nothing in a source that is well. */
class DiagnosisTest {

    private final Source source = new Source();
    private final Member node = source.nodeWithAll("node-1");

    private List<String> codes() {
        return source.admin().run(new Request.Doctor()).stream()
                .map(Finding::code)
                .toList();
    }

    private void later(Duration by) {
        keepAlive(node, by);
    }

    @Test
    void aSourceThatIsWellHasNoFindings() {
        source.done(source.publish());
        source.publish();

        assertThat(source.admin().run(new Request.Doctor())).isEmpty();
    }

    @Test
    void findsEventsThatWaitForTooLong() {
        source.publish();
        later(EventFindings.OLD.plusSeconds(1));
        assertThat(source.admin().run(new Request.Doctor()))
                .extracting(Finding::severity)
                .containsExactly(Severity.WARNING);
        assertThat(codes()).containsExactly("oldest-pending");
        assertThat(source.admin().run(new Request.Doctor()).get(0).evidence())
                .isEqualTo("the oldest of 1 pending events waits for 5 min 1 s");

        later(EventFindings.VERY_OLD);
        assertThat(source.admin().run(new Request.Doctor()))
                .extracting(Finding::severity)
                .containsExactly(Severity.ERROR);
    }

    @Test
    void findsAKeyThatIsStuckBehindARetry() {
        String id = source.publish("k");
        source.fail(id, Duration.ofHours(1), "no such topic");
        later(EventFindings.STUCK.plusSeconds(1));

        assertThat(find(FindingCode.KEY_STUCK).evidence())
                .contains(id, "of key k", "(10 min 1 s ago), once so far", "no such topic");
    }

    @Test
    void aKeyIsStuckSinceItFailsHoweverOldItsEventIs() {
        String delayed = source.publish("k");
        later(Duration.ofDays(2));
        source.fail(delayed, Duration.ofHours(1), "no such topic");
        later(EventFindings.STUCK.minusSeconds(1));
        assertThat(codes()).doesNotContain("key-stuck");

        later(Duration.ofSeconds(2));
        assertThat(codes()).contains("key-stuck");
    }

    @Test
    void whatFailedBeforeAReplayIsOver() {
        String id = source.publish("k");
        source.fail(id, Duration.ofHours(1), "no such topic");
        source.die(id, "no such topic");
        later(Duration.ofDays(1));
        source.admin().run(new Request.Replay(Source.ids(id), false, null, null));
        source.fail(id, Duration.ofHours(1), "no such topic");
        assertThat(codes()).doesNotContain("key-stuck");

        later(EventFindings.STUCK.plusSeconds(1));
        assertThat(codes()).contains("key-stuck");
    }

    private Finding find(FindingCode code) {
        return source.admin().run(new Request.Doctor()).stream()
                .filter(finding -> finding.is(code))
                .findFirst()
                .orElseThrow(() -> new AssertionError(code.label() + " is not among " + codes()));
    }

    @Test
    void findsDeadEventsAndThatTheyAreDyingNow() {
        source.die(source.publish(), "refused");
        assertThat(codes()).containsExactly("dead-events");

        for (int n = 1; n < EventFindings.DYING_MIN; n++) {
            source.die(source.publish(), "refused");
        }
        assertThat(codes()).containsExactly("events-dying", "dead-events");

        later(EventFindings.DYING_WITHIN.plusSeconds(1));
        assertThat(codes()).containsExactly("dead-events");
    }

    @Test
    void oldEventsThatDieAreDyingNow() {
        List<String> old = new ArrayList<>();
        for (int n = 0; n < EventFindings.DYING_MIN; n++) {
            old.add(source.publish());
        }
        later(Duration.ofDays(3));
        for (int n = 0; n < 150; n++) {
            source.die(source.publish(), "long ago");
        }
        later(EventFindings.DYING_WITHIN.plusSeconds(1));
        assertThat(codes()).doesNotContain("events-dying");

        old.forEach(id -> source.die(id, "the latest reason"));
        assertThat(find(FindingCode.EVENTS_DYING).evidence())
                .isEqualTo("10 events died within the last 10 min 0 s, the latest with: the latest reason");
    }

    @Test
    void findsThatNobodyIsAlive() {
        source.time.advance(Source.TIMEOUT);

        assertThat(codes()).containsExactly("no-node", "node-expired");
    }

    @Test
    void findsANodeThatIsGoneThoughOthersWork() {
        source.time.advance(Source.TIMEOUT);
        source.nodeWithAll("node-2");

        assertThat(codes()).containsExactly("node-expired");
    }

    @Test
    void findsThatEveryNodeIsDrained() {
        source.store.clusterAdmin().pause(subject(Kind.NODE, "node-1"), "upgrade", "bert");

        assertThat(codes()).containsExactly("all-drained");
    }

    @Test
    void findsALateHeartbeat() {
        source.time.advance(Duration.ofSeconds(16));

        assertThat(codes()).containsExactly("heartbeat-late");
    }

    @Test
    void findsAMissingNodeAfterTwoOfItsHeartbeats() {
        source.store
                .clusterStore()
                .heartbeat(new Heartbeat(node.session(), Source.TIMEOUT, Duration.ofSeconds(1), true));
        source.time.advance(Duration.ofMillis(1_999));
        assertThat(codes()).isEmpty();

        source.time.advance(Duration.ofMillis(1));
        assertThat(codes()).containsExactly("heartbeat-late");
    }

    @Test
    void findsPartitionsWithoutOwnerOnceTheirChangeOfHandsTakesTooLong() {
        source.time.advance(Source.TIMEOUT);
        source.store.clusterStore().forgetExpired(Duration.ZERO);
        Member second = source.node("node-2", 0, 1, 2);
        assertThat(codes()).as("has just come").isEmpty();

        keepAlive(second, Source.TIMEOUT.plusSeconds(1));
        assertThat(codes()).containsExactly("partition-without-owner");
        assertThat(source.admin().run(new Request.Doctor()).get(0).evidence())
                .isEqualTo("partitions [3, 4, 5] of 6, for longer than 30 s");
    }

    @Test
    void aPartitionThatWasJustGivenBackIsNoFault() {
        Member second = source.node("node-2");
        keepAlive(second, Duration.ofMinutes(5));
        source.time.advance(Duration.ofSeconds(1));
        assertThat(codes()).as("expired long ago, and nobody took over").contains("partition-without-owner");

        for (int partition = 0; partition < 6; partition++) {
            source.store.clusterStore().acquire(Set.of(partition), second.session(), Source.TERMS);
        }
        keepAlive(second, Duration.ofMinutes(5));
        assertThat(codes()).doesNotContain("partition-without-owner");
        PartitionOwnership hold = new PartitionOwnership(3, 2, second.session());
        source.store.clusterStore().release(List.of(hold));
        assertThat(codes()).doesNotContain("partition-without-owner");

        keepAlive(second, Source.TIMEOUT.plusSeconds(1));
        assertThat(find(FindingCode.PARTITION_WITHOUT_OWNER).evidence()).startsWith("partitions [3] of 6");
    }

    @Test
    void aNodeThatWasJustResumedIsGivenTime() {
        source.store.clusterAdmin().pause(subject(Kind.NODE, "node-1"), "upgrade", "bert");
        source.store
                .clusterStore()
                .release(IntStream.range(0, 6)
                        .mapToObj(slot -> new PartitionOwnership(slot, 1, node.session()))
                        .toList());
        later(Duration.ofMinutes(5));
        source.store.clusterAdmin().resume(subject(Kind.NODE, "node-1"), "bert");
        assertThat(codes()).isEmpty();

        keepAlive(node, Source.TIMEOUT.plusSeconds(1));
        assertThat(codes()).containsExactly("partition-without-owner");
    }

    private void keepAlive(Member member, Duration by) {
        source.store.clusterStore().heartbeat(Heartbeat.of(member.session(), by.plus(Source.TIMEOUT)));
        source.time.advance(by);
        source.beat(member);
    }

    @Test
    void findsThatTheNumberOfPartitionsIsChanging() {
        source.store.clusterAdmin().changePartitions(9, "bert");

        assertThat(codes()).containsExactly("partitions-changing");
    }

    @Test
    void findsTheSourceOnHoldAndOldHolds() {
        source.store.clusterAdmin().pause(subject(Kind.KEY, "k"), "wait", "bert");
        assertThat(codes()).isEmpty();
        later(ClusterFindings.HELD_LONG.plusSeconds(1));
        source.store.clusterAdmin().pause(subject(Kind.SOURCE, ""), "maintenance", "bert");

        assertThat(codes()).containsExactly("source-on-hold", "held-for-long");
    }

    @Test
    void findsNodesOfDifferentVersions() {
        Member other = new Member("other", "node-2", 1, "1.2.4", "");
        source.store.clusterStore().join(other, Source.TERMS, Source.TIMEOUT);

        assertThat(codes()).containsExactly("versions-differ");
        assertThat(source.admin().run(new Request.Doctor()).getFirst().evidence())
                .isEqualTo("version 1.2.3 on node-1; version 1.2.4 on node-2");
    }

    @Test
    void findsThatNoRelayHasEverWorkedHere() {
        Source untouched = new Source();
        assertThat(untouched.admin().run(new Request.Doctor())).isEmpty();
        untouched.publish();

        assertThat(untouched.admin().run(new Request.Doctor()))
                .extracting(Finding::code)
                .containsExactly("never-relayed");
    }

    @Test
    void tellsWhatTheStoreFindsAndTheWorstFirst() {
        source.store.clusterAdmin().pause(subject(Kind.SOURCE, ""), "maintenance", "bert");
        source.ofTheStore.add(new Finding("bloat", Severity.ADVICE, "t", "e", "a"));
        source.ofTheStore.add(new Finding("clock-skew", Severity.ERROR, "t", "e", "a"));

        assertThat(codes()).containsExactly("clock-skew", "source-on-hold", "bloat");
    }

    @Test
    void doesNotFailWhenTheDiagnosisDoes() {
        AdminStores broken = new AdminStores(
                source.stores().events(),
                source.stores().cluster(),
                source.stores().statistics(),
                source.stores().retention(),
                () -> {
                    throw new ClassCastException("no date");
                });

        assertThat(new StoreAdmin(broken, null, "anna").run(new Request.Doctor()))
                .extracting(Finding::code)
                .contains("not-readable");
    }

    @Test
    void doesNotFailWhenTheStoreDoes() {
        AdminStores broken = new AdminStores(
                source.stores().events(),
                source.stores().cluster(),
                sampleMax -> {
                    throw new OutboxException("connection refused");
                },
                source.stores().retention(),
                source.stores().diagnosis());

        assertThat(new StoreAdmin(broken, null, "anna").run(new Request.Doctor()))
                .extracting(Finding::code)
                .containsExactly("not-readable");
        source.ofTheStore.add(Finding.error(FindingCode.SCHEMA_OLDER, "t", "e", "a"));
        assertThat(new StoreAdmin(broken, null, "anna").run(new Request.Doctor()))
                .extracting(Finding::code)
                .as("said once")
                .containsExactly("schema-older");
    }

    @Test
    void doesNotAskADatabaseThatCannotBeReached() {
        source.ofTheStore.add(Finding.error(FindingCode.DATABASE_UNREACHABLE, "t", "e", "a"));
        source.store.clusterAdmin().pause(subject(Kind.SOURCE, ""), "maintenance", "bert");

        assertThat(codes()).containsExactly("database-unreachable");
    }

    // ---- with a running relay ------------------------------------------------------------------------------------

    @Test
    void tellsWhatTheRunningRelayFinds() {
        FakeRelay relay = new FakeRelay();
        relay.findings.add(Finding.error(FindingCode.DESTINATION_DOWN, "t", "e", "a"));
        source.live = relay;

        assertThat(codes()).containsExactly("destination-down");
    }

    @Test
    void findsAnEventWithoutRoute() {
        FakeRelay relay = new FakeRelay();
        source.live = relay;
        String id = source.publish();
        assertThat(codes()).isEmpty();

        relay.route("others", false, false);
        assertThat(codes()).containsExactly("no-route");
        assertThat(source.admin().run(new Request.Doctor()).get(0).evidence())
                .contains("1 have no route, such as " + id);
    }

    @Test
    void findsDoneEventsThatStayTooLong() {
        FakeRelay relay = new FakeRelay();
        relay.keepsDone = Duration.ofDays(7);
        source.live = relay;
        String id = source.publish();
        later(Duration.ofDays(9));
        source.done(id);
        assertThat(codes()).as("done just now, however old").isEmpty();

        later(Duration.ofDays(7).plus(EventFindings.PURGE_LATE));
        assertThat(codes()).isEmpty();
        later(Duration.ofSeconds(1));
        assertThat(codes()).containsExactly("retention-late");
        assertThat(source.admin().run(new Request.Doctor()).get(0).evidence()).contains(id, "after 7 d 0 h");

        relay.keepsDone = null;
        assertThat(codes()).as("kept for ever").isEmpty();
    }
}
