package catbox.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.Pause;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;
import outbox.spi.relay.RelayStores;
import outbox.testkit.StoreFixture;

/** A node's stores, behind a connection that fails. Every call that has an effect is reported to the witness. */
final class FaultyStores {

    private FaultyStores() {}

    /** @param settlementFailed given each settlement that failed, whether or not it was written */
    static RelayStores of(
            StoreFixture store,
            FaultyLine line,
            Witness witness,
            String node,
            Consumer<SettleRequest> settlementFailed) {
        return new RelayStores(
                new Relaying(store.relayStore(), line, witness, node, settlementFailed),
                new Clustering(store.clusterStore(), line, witness, node),
                new Claiming(store.claimStore(), line, witness));
    }

    private record Relaying(
            PartitionStore store,
            FaultyLine line,
            Witness witness,
            String node,
            Consumer<SettleRequest> settlementFailed)
            implements PartitionStore {

        @Override
        public List<PartitionPage> fetch(List<PartitionFetch> requests) {
            return line.call(() -> {
                List<PartitionPage> pages = store.fetch(requests);
                for (int i = 0; i < pages.size(); i++) {
                    witness.fetched(requests.get(i), pages.get(i));
                }
                return pages;
            });
        }

        @Override
        public boolean fetchesAllAtOnce() {
            return store.fetchesAllAtOnce();
        }

        @Override
        public List<LanePage> fetchLanes(LaneFetch request) {
            return line.call(() -> store.fetchLanes(request));
        }

        @Override
        public PeekResult peek(PeekRequest request) {
            return line.call(() -> store.peek(request));
        }

        @Override
        public Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
            return line.call(() -> store.acknowledged(eventIds));
        }

        @Override
        public SettleResult settle(SettleRequest request) {
            // Dead events are few, and so would be those whose settlement is repeated.
            boolean makesDead = request.items().stream().anyMatch(item -> item.settlement() instanceof Settlement.Dead);
            try {
                return line.settle(
                        () -> witness.settles(node, request, () -> store.settle(request)), makesDead ? 10 : 1);
            } catch (OutboxException e) {
                settlementFailed.accept(request);
                throw e;
            }
        }

        @Override
        public boolean mark(PartitionOwnership ownership, Set<String> answered, Set<String> begun) {
            return line.call(() -> store.mark(ownership, answered, begun));
        }
    }

    private record Clustering(ClusterStore store, FaultyLine line, Witness witness, String node)
            implements ClusterStore {

        @Override
        public void join(Member member, @Nullable ClusterLayout terms, Duration timeout) {
            line.run(() -> store.join(member, terms, timeout));
        }

        @Override
        public Optional<ClusterView> heartbeat(Heartbeat heartbeat) {
            return line.call(() -> store.heartbeat(heartbeat));
        }

        @Override
        public boolean isWatched(String session) {
            return store.isWatched(session);
        }

        @Override
        public boolean endDisconnected(String session, Duration silentFor) {
            return line.call(() -> {
                boolean ended = store.endDisconnected(session, silentFor);
                if (ended) {
                    witness.endedDisconnected(session);
                }
                return ended;
            });
        }

        @Override
        public List<AcquiredPartition> acquire(Set<Integer> partitions, String session, ClusterLayout terms) {
            return line.call(() -> {
                List<AcquiredPartition> acquired = store.acquire(partitions, session, terms);
                acquired.forEach(each -> witness.acquired(each.ownership(), node));
                return acquired;
            });
        }

        @Override
        public void outlived(PartitionOwnership ownership) {
            line.run(() -> store.outlived(ownership));
        }

        @Override
        public void release(List<PartitionOwnership> owned) {
            line.run(() -> {
                store.release(owned);
                owned.forEach(witness::released);
            });
        }

        @Override
        public void leave(String session) {
            line.run(() -> store.leave(session));
        }

        @Override
        public List<String> forgetExpired(Duration olderThan) {
            return line.call(() -> store.forgetExpired(olderThan));
        }

        @Override
        public boolean repartition() {
            return line.call(() -> {
                boolean done = store.repartition();
                if (done) {
                    witness.repartitioned(node);
                }
                return done;
            });
        }

        @Override
        public List<Pause> pauses() {
            return line.call(store::pauses);
        }
    }

    private record Claiming(ClaimStore store, FaultyLine line, Witness witness) implements ClaimStore {

        @Override
        public OptionalInt connectionsMax() {
            return store.connectionsMax();
        }

        @Override
        public Instant now() {
            return line.call(store::now);
        }

        @Override
        public void open() {
            line.run(() -> store.open());
        }

        @Override
        public List<OutboxEvent> claim(ClaimRequest request) {
            return line.call(() -> {
                List<OutboxEvent> events = store.claim(request);
                witness.claimed(events);
                return events;
            });
        }

        @Override
        public boolean claimOne(String eventId, ClaimTerms terms) {
            return line.call(() -> store.claimOne(eventId, terms));
        }

        @Override
        public Set<Claim> renew(Set<Claim> claims, Duration lease) {
            return line.call(() -> {
                Set<Claim> kept = store.renew(claims, lease);
                witness.renewed(claims, kept);
                return kept;
            });
        }

        @Override
        public int release(Set<Claim> claims) {
            return line.call(() -> {
                witness.released(claims);
                return store.release(claims);
            });
        }
    }
}
