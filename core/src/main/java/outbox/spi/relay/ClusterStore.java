package outbox.spi.relay;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The registry of relays and of the owners of partitions. A member lives as long as it sends heartbeats: when its last
 * heartbeat is older than its timeout, by the store's clock, its partitions are free.
 */
public interface ClusterStore {

    /**
     * Checks that the store exists, has the right version, and has this layout; then registers the member.
     *
     * @param terms the layout that the member was started with; null for a member that rejoins, which follows the
     *     stored layout
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the store has another layout
     */
    void join(Member member, @Nullable ClusterLayout terms, Duration timeout);

    /**
     * Renews the membership for the timeout and reads the cluster, in one statement. Empty when the member has expired:
     * it owns nothing any more, and has to join again, as another session.
     */
    Optional<ClusterView> heartbeat(Heartbeat heartbeat);

    /**
     * Whether the store sees the end of the connection on which this session sent its last heartbeat. Other nodes may
     * end only such a session before its timeout. Called by the heartbeat thread; false if a store cannot see
     * connections.
     */
    boolean isWatched(String session);

    /**
     * Ends the membership of a node whose connection to the store has ended and that has been silent for this long. The
     * store checks both again: false when it has sent a heartbeat or connected meanwhile. A store that cannot see
     * connections ends none.
     */
    boolean endDisconnected(String session, Duration silentFor);

    /**
     * Acquires those of these partitions that are free, each at a new epoch, higher than every one before. Skips those
     * that a live member owns. Acquires none when this session has expired, or while the number of partitions changes.
     */
    List<AcquiredPartition> acquire(Set<Integer> partitions, String session, ClusterLayout terms);

    /** Resets the deaths of former owners, which this one has outlived. No effect after the ownership has ended. */
    void outlived(PartitionOwnership ownership);

    /** Releases partitions, and keeps their deaths; those that are no longer owned do not change. */
    void release(List<PartitionOwnership> owned);

    /** Ends the membership at once, which frees the session's partitions. */
    void leave(String session);

    /** Removes members that expired longer ago than this, and returns their node ids. */
    List<String> forgetExpired(Duration olderThan);

    /**
     * Finishes a change of the number of partitions, once every partition is free. Every epoch rises, so that former
     * owners are fenced. False when there is nothing to finish yet.
     */
    boolean repartition();

    /** All pauses. */
    List<Pause> pauses();
}
