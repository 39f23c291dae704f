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
import outbox.Ordering;
import outbox.OutboxException;
import outbox.model.Acquired;
import outbox.model.Claim;
import outbox.model.ClaimRequest;
import outbox.model.ClaimTerms;
import outbox.model.ClusterView;
import outbox.model.FetchRequest;
import outbox.model.Fetched;
import outbox.model.Heartbeat;
import outbox.model.Hold;
import outbox.model.LaneContent;
import outbox.model.LaneRequest;
import outbox.model.Member;
import outbox.model.OutboxEvent;
import outbox.model.PollRequest;
import outbox.model.Polled;
import outbox.model.RelayTerms;
import outbox.model.SettleRequest;
import outbox.model.Settlement;
import outbox.model.SlotHold;
import outbox.relay.RelayNode;
import outbox.spi.ClusterStore;
import outbox.spi.DispatchStore;
import outbox.spi.RelayStore;
import outbox.spi.StoreCapabilities;
import outbox.testkit.StoreFixture;

/** A node's stores, behind a line that fails; what has an effect is told to the witness. */
final class FaultyStores {

    private FaultyStores() {}

    /** @param settlementFailed given each settlement that failed, whether or not it was written */
    static RelayNode.Stores of(
            StoreFixture store,
            FaultyLine line,
            Witness witness,
            String node,
            Consumer<SettleRequest> settlementFailed) {
        return new RelayNode.Stores(
                new Relaying(store.relayStore(), line, witness, node, settlementFailed),
                new Clustering(store.clusterStore(), line, witness, node),
                new Dispatching(store.dispatchStore(), line, witness));
    }

    private record Relaying(
            RelayStore store, FaultyLine line, Witness witness, String node, Consumer<SettleRequest> settlementFailed)
            implements RelayStore {

        @Override
        public Fetched fetch(FetchRequest request) {
            return line.call(() -> {
                Fetched fetched = store.fetch(request);
                witness.fetched(request, fetched);
                return fetched;
            });
        }

        @Override
        public List<Fetched> fetchTogether(List<FetchRequest> requests) {
            return line.call(() -> store.fetchTogether(requests));
        }

        @Override
        public List<LaneContent> fetchLanes(LaneRequest request) {
            return line.call(() -> store.fetchLanes(request));
        }

        @Override
        public Polled poll(PollRequest request) {
            return line.call(() -> store.poll(request));
        }

        @Override
        public Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
            return line.call(() -> store.acknowledged(eventIds));
        }

        @Override
        public int settle(SettleRequest request) {
            // Dead events are few, and so would be those whose settlement is repeated.
            boolean makesDead =
                    request.verdicts().stream().anyMatch(verdict -> verdict.settlement() instanceof Settlement.Dead);
            try {
                return line.settle(
                        () -> witness.settles(node, request, () -> store.settle(request)), makesDead ? 10 : 1);
            } catch (OutboxException e) {
                settlementFailed.accept(request);
                throw e;
            }
        }

        @Override
        public boolean mark(SlotHold hold, Set<String> answered, Set<String> begun) {
            return line.call(() -> store.mark(hold, answered, begun));
        }
    }

    private record Clustering(ClusterStore store, FaultyLine line, Witness witness, String node)
            implements ClusterStore {

        @Override
        public void join(Member member, @Nullable RelayTerms terms, Duration timeout) {
            line.run(() -> store.join(member, terms, timeout));
        }

        @Override
        public Optional<ClusterView> beat(Heartbeat heartbeat) {
            return line.call(() -> store.beat(heartbeat));
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
        public List<Acquired> acquire(Set<Integer> slots, String session, RelayTerms terms) {
            return line.call(() -> {
                List<Acquired> acquired = store.acquire(slots, session, terms);
                acquired.forEach(each -> witness.acquired(each.hold(), node));
                return acquired;
            });
        }

        @Override
        public void outlived(SlotHold hold) {
            line.run(() -> store.outlived(hold));
        }

        @Override
        public void release(List<SlotHold> holds) {
            line.run(() -> {
                store.release(holds);
                holds.forEach(witness::released);
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
        public boolean renumber() {
            return line.call(() -> {
                boolean done = store.renumber();
                if (done) {
                    witness.renumbered(node);
                }
                return done;
            });
        }

        @Override
        public List<Hold> holds() {
            return line.call(store::holds);
        }
    }

    private record Dispatching(DispatchStore store, FaultyLine line, Witness witness) implements DispatchStore {

        @Override
        public StoreCapabilities capabilities() {
            return store.capabilities();
        }

        @Override
        public OptionalInt connectionsMax() {
            return store.connectionsMax();
        }

        @Override
        public Instant now() {
            return line.call(store::now);
        }

        @Override
        public void open(Ordering ordering) {
            line.run(() -> store.open(ordering));
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
        public boolean claim(String eventId, ClaimTerms terms) {
            return line.call(() -> store.claim(eventId, terms));
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
        public int settle(List<Settlement> settlements) {
            return line.call(() -> store.settle(settlements));
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
