package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.LayoutMismatchException;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;
import outbox.testkit.Registry.Partition;
import outbox.testkit.Registry.Registration;

/** The registry of relays in memory. */
final class InMemoryCluster implements ClusterStore {

    private static final Comparator<Registration> LONGEST_STANDING_FIRST = Comparator.comparing(Registration::joinedAt)
            .thenComparing(registration -> registration.member().session());

    private final Table table;
    private final Registry registry;

    InMemoryCluster(Table table, Registry registry) {
        this.table = table;
        this.registry = registry;
    }

    @Override
    public void join(Member member, @Nullable ClusterLayout terms, Duration timeout) {
        table.change(() -> {
            if (terms != null) {
                requireSame(terms);
            }
            if (registry.find(member.session()) != null) {
                throw new IllegalStateException("session " + member.session() + " has joined before; take a new one");
            }
            Instant now = table.now();
            registry.register(new Registration(member, now, now, now.plus(timeout), Duration.ZERO, false, true));
        });
    }

    private void requireSame(ClusterLayout terms) {
        String agreed = registry.agreeOn(terms.strategy().label());
        if (!agreed.equals(terms.strategy().label())) {
            throw new LayoutMismatchException("the store is worked by claim strategy " + agreed
                    + ", and this relay is set to " + terms.strategy().label() + ". Set it to " + agreed
                    + ", or call ClusterAdmin.changeStrategy.");
        }
        if (terms.strategy().usesPartitions() && terms.partitions() != registry.partitions()) {
            throw new LayoutMismatchException("the store has " + registry.partitions()
                    + " partitions, and this relay is set to " + terms.partitions() + ". Set it to "
                    + registry.partitions() + ", or call ClusterAdmin.changePartitions.");
        }
    }

    @Override
    public Optional<ClusterView> heartbeat(Heartbeat heartbeat) {
        return table.atomically(() -> {
            Registration known = registry.find(heartbeat.session());
            Instant now = table.now();
            if (known == null || !known.isAliveAt(now)) {
                return Optional.empty();
            }
            registry.register(known.heartbeat(now, heartbeat));
            return Optional.of(view(now));
        });
    }

    @Override
    public boolean isWatched(String session) {
        return true;
    }

    @Override
    public boolean endDisconnected(String session, Duration silentFor) {
        return table.atomically(() -> {
            Registration known = registry.find(session);
            Instant now = table.now();
            if (known == null
                    || !known.isAliveAt(now)
                    || known.connected()
                    || known.heartbeatAt().isAfter(now.minus(silentFor))) {
                return false;
            }
            registry.register(known.endedAt(now));
            return true;
        });
    }

    private ClusterView view(Instant now) {
        List<Registration> alive = registry.members().stream()
                .filter(registration -> registration.isAliveAt(now))
                .sorted(LONGEST_STANDING_FIRST)
                .toList();
        List<Member> members = alive.stream().map(Registration::member).toList();
        Map<String, MemberState> states = new HashMap<>();
        alive.forEach(each -> states.put(
                each.member().session(),
                new MemberState(
                        Duration.between(each.heartbeatAt(), now), each.interval(), each.ready(), !each.connected())));
        ClaimStrategy strategy = registry.relayStrategy();
        if (strategy == null) {
            throw new IllegalStateException("members live, and no relay's strategy is recorded");
        }
        List<ClusterView.PartitionState> partitions = new ArrayList<>();
        for (int number = 0; strategy.usesPartitions() && number < registry.partitions(); number++) {
            Partition partition = registry.partition(number);
            String owner = registry.isAliveAt(partition.owner(), now) ? partition.owner() : null;
            partitions.add(new ClusterView.PartitionState(number, partition.epoch(), owner));
        }
        ClusterLayout terms = new ClusterLayout(strategy, registry.partitions());
        return new ClusterView(
                members, partitions, terms, registry.partitionsWanted(), registry.pausesVersion(), states);
    }

    @Override
    public List<AcquiredPartition> acquire(Set<Integer> partitions, String session, ClusterLayout terms) {
        return table.atomically(() -> partitions.stream()
                .sorted()
                .flatMap(partition -> acquire(partition, session, terms).stream())
                .toList());
    }

    private Optional<AcquiredPartition> acquire(int partition, String session, ClusterLayout terms) {
        Instant now = table.now();
        ClaimStrategy strategy = registry.relayStrategy();
        boolean hasSlot = strategy != null
                && strategy.usesPartitions()
                && terms.partitions() == registry.partitions()
                && partition < registry.partitions();
        if (!hasSlot || registry.partitionsWanted() != null || !registry.isAliveAt(session, now)) {
            return Optional.empty();
        }
        Partition before = registry.partition(partition);
        if (registry.isAliveAt(before.owner(), now)) {
            return Optional.empty();
        }
        Partition mine = before.takenBy(session, now);
        registry.setPartition(partition, mine);
        registry.note(session, "acquire", "partition " + partition, "epoch " + mine.epoch());
        return Optional.of(
                new AcquiredPartition(new PartitionOwnership(partition, mine.epoch(), session), mine.deaths()));
    }

    @Override
    public void outlived(PartitionOwnership ownership) {
        table.change(() -> {
            if (registry.isOwned(ownership)) {
                Partition partition = registry.partition(ownership.partition());
                registry.setPartition(
                        ownership.partition(),
                        new Partition(partition.epoch(), partition.owner(), partition.changedAt(), 0));
            }
        });
    }

    @Override
    public void release(List<PartitionOwnership> owned) {
        table.change(() -> owned.stream().filter(registry::isOwned).forEach(this::free));
    }

    private void free(PartitionOwnership ownership) {
        registry.setPartition(
                ownership.partition(), registry.partition(ownership.partition()).freedAt(table.now()));
    }

    @Override
    public void leave(String session) {
        table.change(() -> {
            registry.remove(session);
            for (int number = 0; number < registry.partitions(); number++) {
                long epoch = registry.partition(number).epoch();
                PartitionOwnership ownership = new PartitionOwnership(number, epoch, session);
                if (registry.isOwned(ownership)) {
                    free(ownership);
                }
            }
        });
    }

    @Override
    public List<String> forgetExpired(Duration olderThan) {
        return table.atomically(() -> {
            Instant limit = table.now().minus(olderThan);
            List<Member> expired = registry.members().stream()
                    .filter(registration -> !registration.isAliveAt(limit))
                    .map(Registration::member)
                    .toList();
            expired.forEach(member -> registry.remove(member.session()));
            return expired.stream().map(Member::nodeId).toList();
        });
    }

    @Override
    public boolean repartition() {
        return table.atomically(() -> {
            Integer wanted = registry.partitionsWanted();
            if (wanted == null || !areAllFree()) {
                return false;
            }
            registry.setPartitions(wanted);
            registry.setPartitionsWanted(null);
            registry.raiseAllEpochs();
            registry.note("catbox", "renumber", "outbox", "to " + wanted);
            return true;
        });
    }

    private boolean areAllFree() {
        Instant now = table.now();
        for (int number = 0; number < registry.partitions(); number++) {
            if (registry.isAliveAt(registry.partition(number).owner(), now)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<Pause> pauses() {
        return table.atomically(registry::pauses);
    }
}
