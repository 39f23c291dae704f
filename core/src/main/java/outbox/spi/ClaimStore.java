package outbox.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;

/**
 * Gives each event to one holder at a time, for dispatchers and for relays that claim by lease. Each call is one short
 * transaction. Leases and due times use the store's clock only.
 */
public interface ClaimStore {

    /** How many calls the store can serve at once, if that is known. */
    OptionalInt connectionsMax();

    /** The time by the store's clock. */
    Instant now();

    /**
     * Checks, before anything is claimed, that the store exists, has the right version, and is used by dispatchers. The
     * first caller of a new store makes it one for dispatchers.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when relays use the store
     */
    void open();

    /**
     * Claims pending events that are due and free, the longest due first. Two claims that are valid at the same time
     * never contain the same event.
     *
     * <p>An event whose last claim has expired without being released counts one death more.
     */
    List<OutboxEvent> claim(ClaimRequest request);

    /** Claims one pending event, whether or not it is due. False when it is claimed already, settled, or a suspect. */
    boolean claimOne(String eventId, ClaimTerms terms);

    /**
     * Renews claims for a full lease from now, and returns those that were still valid. An expired claim counts as
     * valid while no one else has claimed its event.
     */
    Set<Claim> renew(Set<Claim> claims, Duration lease);

    /** Releases claims, so that the events can be claimed at once; counts no attempt. Returns how many were valid. */
    int release(Set<Claim> claims);
}
