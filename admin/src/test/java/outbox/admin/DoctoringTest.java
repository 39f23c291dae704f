package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.admin.Source.subject;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.model.Finding;
import outbox.model.Finding.Severity;
import outbox.model.Hold.Kind;
import outbox.model.Member;

/** The doctor finds each fault that is made, and nothing in a source that is well. */
class DoctoringTest {

    private final Source source = new Source();
    private final Member node = source.nodeWithAll("node-1");

    private List<String> codes() {
        return source.admin().doctor().stream().map(Finding::code).toList();
    }

    private void later(Duration by) {
        source.store.clusterStore().beat(node.session(), by.plus(Source.TIMEOUT));
        source.time.advance(by);
        source.beat(node);
    }

    @Test
    void aSourceThatIsWellHasNoFindings() {
        source.done(source.publish());
        source.publish();

        assertThat(source.admin().doctor()).isEmpty();
    }

    @Test
    void findsEventsThatWaitForTooLong() {
        source.publish();
        later(Doctoring.OLD.plusSeconds(1));
        assertThat(source.admin().doctor()).extracting(Finding::severity).containsExactly(Severity.WARNING);
        assertThat(codes()).containsExactly("oldest-pending");
        assertThat(source.admin().doctor().get(0).evidence())
                .isEqualTo("the oldest of 1 pending events waits for 5 min 1 s");

        later(Doctoring.VERY_OLD);
        assertThat(source.admin().doctor()).extracting(Finding::severity).containsExactly(Severity.ERROR);
    }

    @Test
    void findsAKeyThatIsStuckBehindARetry() {
        String id = source.publish("k");
        source.fail(id, Duration.ofHours(1), "no such topic");
        later(Doctoring.STUCK.plusSeconds(1));

        assertThat(codes()).contains("key-stuck");
        Finding stuck = source.admin().doctor().stream()
                .filter(finding -> finding.code().equals("key-stuck"))
                .findFirst()
                .orElseThrow();
        assertThat(stuck.evidence()).contains(id, "of key k", "failed once", "no such topic");
    }

    @Test
    void findsDeadEventsAndThatTheyAreDyingNow() {
        source.die(source.publish(), "refused");
        assertThat(codes()).containsExactly("dead-events");

        for (int n = 1; n < Doctoring.DYING_MIN; n++) {
            source.die(source.publish(), "refused");
        }
        assertThat(codes()).containsExactly("events-dying", "dead-events");

        later(Doctoring.DYING_WITHIN.plusSeconds(1));
        assertThat(codes()).containsExactly("dead-events");
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
        source.store.clusterAdmin().hold(subject(Kind.NODE, "node-1"), "upgrade", "bert");

        assertThat(codes()).containsExactly("all-drained");
    }

    @Test
    void findsALateHeartbeat() {
        source.time.advance(Duration.ofSeconds(16));

        assertThat(codes()).containsExactly("heartbeat-late");
    }

    @Test
    void findsPartitionsWithoutOwner() {
        source.time.advance(Source.TIMEOUT);
        source.store.clusterStore().forgetExpired(Duration.ZERO);
        source.node("node-2", 0, 1, 2);

        assertThat(codes()).containsExactly("partition-without-owner");
        assertThat(source.admin().doctor().get(0).evidence()).isEqualTo("partitions [3, 4, 5] of 6");
    }

    @Test
    void findsThatTheNumberOfPartitionsIsChanging() {
        source.store.clusterAdmin().changePartitions(9, "bert");

        assertThat(codes()).containsExactly("partitions-changing");
    }

    @Test
    void findsTheSourceOnHoldAndOldHolds() {
        source.store.clusterAdmin().hold(subject(Kind.KEY, "k"), "wait", "bert");
        assertThat(codes()).isEmpty();
        later(Doctoring.HELD_LONG.plusSeconds(1));
        source.store.clusterAdmin().hold(subject(Kind.SOURCE, ""), "maintenance", "bert");

        assertThat(codes()).containsExactly("source-on-hold", "held-for-long");
    }

    @Test
    void findsNodesOfDifferentVersions() {
        Member other = new Member("other", "node-2", 1, "1.2.4", "");
        source.store.clusterStore().join(other, Source.TERMS, Source.TIMEOUT);

        assertThat(codes()).containsExactly("versions-differ");
    }

    @Test
    void findsThatNoRelayHasEverWorkedHere() {
        Source untouched = new Source();
        assertThat(untouched.admin().doctor()).isEmpty();
        untouched.publish();

        assertThat(untouched.admin().doctor()).extracting(Finding::code).containsExactly("never-relayed");
    }

    @Test
    void tellsWhatTheStoreFindsAndTheWorstFirst() {
        source.store.clusterAdmin().hold(subject(Kind.SOURCE, ""), "maintenance", "bert");
        source.ofTheStore.add(new Finding("bloat", Severity.ADVICE, "t", "e", "a"));
        source.ofTheStore.add(new Finding("clock-skew", Severity.ERROR, "t", "e", "a"));

        assertThat(codes()).containsExactly("clock-skew", "source-on-hold", "bloat");
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

        assertThat(new StoreAdmin(broken, null, "anna").doctor())
                .extracting(Finding::code)
                .containsExactly("not-readable");
        source.ofTheStore.add(new Finding("not-reachable", Severity.ERROR, "t", "e", "a"));
        assertThat(new StoreAdmin(broken, null, "anna").doctor())
                .extracting(Finding::code)
                .as("said once")
                .containsExactly("not-reachable");
    }
}
