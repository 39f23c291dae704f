package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.spi.ClaimStore;
import outbox.spi.PlainClaimStore;
import outbox.spi.TimeSource;

/** Renews the claims of this instance while their events wait or are delivered. */
public final class ClaimKeeper {

    private static final Logger LOG = System.getLogger(ClaimKeeper.class.getName());
    private static final int BATCH_MAX = 500;

    private final ClaimStore store;
    private final Duration lease;
    private final TimeSource time;
    /** The store if it has no claims: each poll that begins before an event is settled returns the event. */
    private final @Nullable PlainClaimStore plain;
    /** By claim; by event id where the store has no claims, so that each event is held once. */
    private final ConcurrentHashMap<Object, HeldClaim> held = new ConcurrentHashMap<>();

    public ClaimKeeper(ClaimStore store, Duration lease, TimeSource time) {
        this.store = store;
        this.lease = lease;
        this.time = time;
        this.plain = store instanceof PlainClaimStore withoutClaims ? withoutClaims : null;
    }

    /** Whether the store has no claims, so that it may return an event twice. */
    public boolean isPlain() {
        return plain != null;
    }

    /** Holds a claim. False when a store without claims returned an event that is held or was settled meanwhile. */
    public boolean hold(HeldClaim claim) {
        if (held.putIfAbsent(keyOf(claim), claim) != null) {
            return false;
        }
        if (plain != null && plain.isSettledSince(claim.claim().eventId(), claim.sinceNanos())) {
            drop(claim);
            return false;
        }
        return true;
    }

    private Object keyOf(HeldClaim claim) {
        return plain == null ? claim.claim() : claim.claim().eventId();
    }

    public boolean holds(HeldClaim claim) {
        return held.get(keyOf(claim)) == claim;
    }

    public void drop(HeldClaim claim) {
        held.remove(keyOf(claim), claim);
    }

    /** Drops all claims; returns their number. */
    public int dropAll() {
        int held = this.held.size();
        this.held.clear();
        return held;
    }

    /** Claims an event that has no claim yet; null when another instance holds it. */
    @Nullable
    public HeldClaim claim(String eventId) {
        ClaimTerms terms = new ClaimTerms(Ulids.SYSTEM.next(), lease);
        long since = time.nanoTime();
        if (!store.claimOne(eventId, terms)) {
            return null;
        }
        HeldClaim claim = new HeldClaim(new Claim(eventId, terms.token()), lease, since);
        return hold(claim) ? claim : null;
    }

    /** Whether a delivery may begin under this claim. An old claim is renewed first. */
    public boolean confirm(HeldClaim claim) {
        long now = time.nanoTime();
        if (!claim.isLost() && claim.isSafeAt(now)) {
            return true;
        }
        if (claim.isLost() || store.renew(Set.of(claim.claim()), lease).isEmpty()) {
            drop(claim);
            return false;
        }
        claim.renewedSince(now);
        return true;
    }

    /** Renews the claims that are due. An event whose claim is lost is not started. */
    public void runOnce() {
        long now = time.nanoTime();
        List<HeldClaim> due = new ArrayList<>();
        for (HeldClaim claim : held.values()) {
            if (claim.isDueForRenewalAt(now)) {
                due.add(claim);
            }
        }
        for (int from = 0; from < due.size(); from += BATCH_MAX) {
            renew(due.subList(from, Math.min(due.size(), from + BATCH_MAX)));
        }
    }

    private void renew(List<HeldClaim> claims) {
        long since = time.nanoTime();
        Set<Claim> asked = new HashSet<>();
        claims.forEach(claim -> asked.add(claim.claim()));
        Set<Claim> still = store.renew(asked, lease);
        for (HeldClaim claim : claims) {
            if (still.contains(claim.claim())) {
                claim.renewedSince(since);
            } else {
                claim.lose();
                drop(claim);
                LOG.log(
                        Level.DEBUG,
                        "event {0}: its claim is no longer held",
                        claim.claim().eventId());
            }
        }
    }
}
