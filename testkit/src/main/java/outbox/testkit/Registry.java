package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.AuditEntry;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;

/**
 * What a store keeps next to the events: the layout, the members and their partitions, the pauses, and
 * what was noted for people. Guarded by the lock of its {@link Table}.
 */
final class Registry {

    /** How many partitions a new store has. */
    static final int PARTITIONS_AT_FIRST = 6;

    private final Table table;
    private final Map<String, Registration> members = new LinkedHashMap<>();
    // Never shorter than it was: a partition that returns must not begin at an old epoch.
    private final List<Partition> allPartitions = new ArrayList<>();
    private final Map<Pause.Subject, Pause> pauses = new LinkedHashMap<>();
    private final List<AuditEntry> audit = new ArrayList<>();
    private @Nullable String strategy;
    private int partitions;
    private @Nullable Integer partitionsWanted;
    private long pausesVersion;

    /** A member, and until when it lives. */
    record Registration(
            Member member,
            Instant joinedAt,
            Instant heartbeatAt,
            Instant expiresAt,
            Duration interval,
            boolean ready,
            boolean connected) {

        Registration heartbeat(Instant now, Heartbeat heartbeat) {
            return new Registration(
                    member,
                    joinedAt,
                    now,
                    now.plus(heartbeat.timeout()),
                    heartbeat.interval(),
                    heartbeat.ready(),
                    true);
        }

        Registration disconnected() {
            return new Registration(member, joinedAt, heartbeatAt, expiresAt, interval, ready, false);
        }

        Registration endedAt(Instant now) {
            return new Registration(member, joinedAt, heartbeatAt, now, interval, ready, connected);
        }

        boolean isAliveAt(Instant now) {
            return expiresAt.isAfter(now);
        }
    }

    /** A partition's epoch, its last owner, which may have expired, and when it was acquired or released. */
    record Partition(
            long epoch, @Nullable String owner, @Nullable Instant changedAt, int deaths) {

        /** A partition without an owner and without deaths. */
        static Partition free(long epoch, @Nullable Instant changedAt) {
            return new Partition(epoch, null, changedAt, 0);
        }

        /** The same after its release. */
        Partition freedAt(Instant now) {
            return new Partition(epoch, null, now, deaths);
        }

        /** The same with its next owner. A partition that was not released belonged to an owner that has died. */
        Partition takenBy(String session, Instant now) {
            return new Partition(epoch + 1, session, now, owner == null ? deaths : deaths + 1);
        }
    }

    Registry(Table table) {
        this.table = table;
        setPartitions(PARTITIONS_AT_FIRST);
    }

    /** Records the claim strategy unless there is one already, and returns the one that applies. */
    String agreeOn(String label) {
        if (strategy == null) {
            strategy = label;
        }
        return strategy;
    }

    @Nullable
    String strategy() {
        return strategy;
    }

    void setStrategy(ClaimStrategy changed) {
        strategy = changed.label();
    }

    /** The relays' strategy; null while no relay uses the store. */
    @Nullable
    ClaimStrategy relayStrategy() {
        for (ClaimStrategy known : ClaimStrategy.values()) {
            if (known.label().equals(strategy)) {
                return known;
            }
        }
        return null;
    }

    int partitions() {
        return partitions;
    }

    @Nullable
    Integer partitionsWanted() {
        return partitionsWanted;
    }

    void setPartitionsWanted(@Nullable Integer wanted) {
        partitionsWanted = wanted;
    }

    void setPartitions(int number) {
        partitions = number;
        while (allPartitions.size() < number) {
            allPartitions.add(Partition.free(0, null));
        }
    }

    Collection<Registration> members() {
        return members.values();
    }

    @Nullable
    Registration find(String session) {
        return members.get(session);
    }

    boolean isAliveAt(@Nullable String session, Instant now) {
        Registration found = session == null ? null : members.get(session);
        return found != null && found.isAliveAt(now);
    }

    boolean isAnyAlive() {
        Instant now = table.now();
        return members.values().stream().anyMatch(registration -> registration.isAliveAt(now));
    }

    void register(Registration registration) {
        members.put(registration.member().session(), registration);
    }

    void remove(String session) {
        members.remove(session);
    }

    Partition partition(int number) {
        return allPartitions.get(number);
    }

    void setPartition(int number, Partition partition) {
        allPartitions.set(number, partition);
    }

    /** Frees every partition and fences its owner. */
    void raiseAllEpochs() {
        allPartitions.replaceAll(partition -> Partition.free(partition.epoch() + 1, table.now()));
    }

    boolean isOwned(PartitionOwnership ownership) {
        if (ownership.partition() < 0 || ownership.partition() >= partitions) {
            return false;
        }
        Partition partition = allPartitions.get(ownership.partition());
        return partition.epoch() == ownership.epoch() && ownership.owner().equals(partition.owner());
    }

    /** Pauses something; false when it was paused already. */
    boolean ownership(Pause.Subject subject, String reason, String by) {
        if (pauses.containsKey(subject)) {
            return false;
        }
        pauses.put(subject, new Pause(subject, reason, by, table.now()));
        pausesVersion++;
        note(by, "hold", describe(subject), reason);
        return true;
    }

    boolean resume(Pause.Subject subject, String by) {
        if (pauses.remove(subject) == null) {
            return false;
        }
        pausesVersion++;
        note(by, "resume", describe(subject), null);
        return true;
    }

    List<Pause> pauses() {
        return List.copyOf(pauses.values());
    }

    long pausesVersion() {
        return pausesVersion;
    }

    private static String describe(Pause.Subject subject) {
        return (subject.kind().name().toLowerCase(Locale.ROOT) + " " + subject.name()).strip();
    }

    AuditEntry note(String who, String action, String subject, @Nullable String detail) {
        AuditEntry entry = new AuditEntry(audit.size() + 1L, table.now(), who, action, subject, detail);
        audit.add(entry);
        return entry;
    }

    List<AuditEntry> audit() {
        return Collections.unmodifiableList(new ArrayList<>(audit));
    }
}
