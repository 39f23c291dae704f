package outbox.spi.relay;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The registry of relays, and who owns which slot. A member lives as long as it beats: when its last beat is older
 * than its time-out, by the store's clock, its slots are free.
 */
public interface ClusterStore {

    /**
     * Checks that the store is there, of the right version, and worked by nobody on other terms; then registers the
     * member.
     *
     * @param terms what the member was started with; null for a member that comes back, which follows whatever the
     *     others have agreed on meanwhile
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the store is worked on other terms
     */
    void join(Member member, @Nullable ClusterLayout terms, Duration timeout);

    /**
     * One statement that prolongs the member's life by the time-out and shows the cluster. Empty when the member has
     * expired: it owns nothing any more, and has to join anew, as another session.
     */
    Optional<ClusterView> heartbeat(Heartbeat heartbeat);

    /**
     * Whether the store would see the end of the connection on which this session last beat. Others may end only such a
     * session before its time is over. Asked by the thread that beats; false where a store cannot see connections.
     */
    boolean isWatched(String session);

    /**
     * Ends the life of a member whose connection to the store has ended and that has been silent for this long, both
     * as they are now: false when it has beaten or connected meanwhile. A store that cannot see connections ends none.
     */
    boolean endDisconnected(String session, Duration silentFor);

    /**
     * Takes those of these slots that are free, each at a new epoch, higher than every one before. Leaves out those that
     * a live member has. Takes none when this session has expired, or when the slots are being renumbered.
     */
    List<AcquiredPartition> acquire(Set<Integer> partitions, String session, ClusterLayout terms);

    /** Forgets the deaths of former owners, since this one has outlived them. Changes nothing when the slot is not held so. */
    void outlived(PartitionOwnership ownership);

    /** Frees slots, and forgets no deaths; those that are not held any more are left alone. */
    void release(List<PartitionOwnership> pauses);

    /** Ends the membership at once, which frees what the session still owned. */
    void leave(String session);

    /** Removes members that expired longer ago than this, and returns their node ids. */
    List<String> forgetExpired(Duration olderThan);

    /**
     * Finishes a change of the number of slots, once every slot is free: from then on the wanted number is the number.
     * Every epoch rises, so that whoever owned a slot before is fenced. False when there is nothing to finish yet.
     */
    boolean repartition();

    /** Everything on hold. */
    List<Pause> pauses();
}
