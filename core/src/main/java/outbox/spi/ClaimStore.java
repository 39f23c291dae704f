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
 * Claim: gives each event to one holder at a time, for dispatchers and for relays that claim by lease. Each call is one
 * short transaction of its own. Leases and due times are counted by the store's clock alone.
 */
public interface ClaimStore {

    /** How many calls the store can serve at once, where that is known. */
    OptionalInt connectionsMax();

    /** The time by the store's clock. */
    Instant now();

    /**
     * Checks, before anything is claimed, that the store is there, has the right version, and is worked by dispatchers.
     * The first to ask decides that it is.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when relays work the store
     */
    void open();

    /**
     * Claims pending events that are due and free, the longest due first. No two claims that hold at the same time ever
     * contain the same event.
     *
     * <p>An event whose last claim has expired without being given back counts one death more.
     */
    List<OutboxEvent> claim(ClaimRequest request);

    /** Claims one pending event, whether or not it is due. False when it is claimed already, settled, or a suspect. */
    boolean claimOne(String eventId, ClaimTerms terms);

    /**
     * Prolongs claims to a full lease from now, and returns those that still held. An expired claim on an event that was
     * not claimed again counts as held.
     */
    Set<Claim> renew(Set<Claim> claims, Duration lease);

    /** Gives claims back, so that the events can be claimed at once; counts no attempt. Returns how many were held. */
    int release(Set<Claim> claims);
}
