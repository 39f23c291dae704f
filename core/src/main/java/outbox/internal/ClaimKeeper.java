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
import outbox.dispatch.RecentlyLetGo;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.spi.DispatchStore;
import outbox.spi.TimeSource;

/** Keeps the claims of this instance alive while their events wait or are being delivered. */
public final class ClaimKeeper {

    private static final Logger LOG = System.getLogger(ClaimKeeper.class.getName());
    private static final int BATCH_MAX = 500;

    private final DispatchStore store;
    private final Duration lease;
    private final TimeSource time;
    private final boolean claims;
    /** By claim; by event id where the store has no claims, so that an event is here once. */
    private final ConcurrentHashMap<Object, HeldClaim> held = new ConcurrentHashMap<>();
    /** Only for stores without claims: what was let go of lately, and when. */
    private final RecentlyLetGo recently = new RecentlyLetGo();

    public ClaimKeeper(DispatchStore store, Duration lease, TimeSource time) {
        this.store = store;
        this.lease = lease;
        this.time = time;
        this.claims = store.capabilities().claims();
    }

    /**
     * False when the event is here already, or was settled since the look that found it: a store without claims
     * gives an event with every look that begins before it is settled.
     */
    public boolean hold(HeldClaim claim) {
        if (claims) {
            held.put(claim.claim(), claim);
            return true;
        }
        String eventId = claim.claim().eventId();
        return !recently.isAfter(eventId, claim.sinceNanos()) && held.putIfAbsent(eventId, claim) == null;
    }

    public boolean holds(HeldClaim claim) {
        return claims && held.get(claim.claim()) == claim;
    }

    public void letGo(HeldClaim claim) {
        if (claims) {
            held.remove(claim.claim(), claim);
        } else {
            recently.add(claim.claim().eventId(), time.nanoTime());
            held.remove(claim.claim().eventId(), claim);
        }
    }

    /** Holds nothing any more; returns how many claims that were. */
    public int letGoOfAll() {
        int held = this.held.size();
        this.held.clear();
        return held;
    }

    /** Claims an event that came without a claim; null when somebody else holds it. */
    @Nullable
    public HeldClaim claim(String eventId) {
        ClaimTerms terms = new ClaimTerms(Ulids.SYSTEM.next(), lease);
        long since = time.nanoTime();
        if (!store.claim(eventId, terms)) {
            return null;
        }
        HeldClaim claim = new HeldClaim(new Claim(eventId, terms.token()), lease, since);
        return hold(claim) ? claim : null;
    }

    /** Whether a delivery may begin under this claim. One that has grown old is asked of the store once more. */
    public boolean confirm(HeldClaim claim) {
        long now = time.nanoTime();
        if (!claim.isLost() && claim.isSafeAt(now)) {
            return true;
        }
        if (claim.isLost() || store.renew(Set.of(claim.claim()), lease).isEmpty()) {
            letGo(claim);
            return false;
        }
        claim.renewedSince(now);
        return true;
    }

    /** One turn: renews what is due. An event whose claim is lost will not be begun. */
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
                letGo(claim);
                LOG.log(
                        Level.DEBUG,
                        "event {0}: its claim is no longer held",
                        claim.claim().eventId());
            }
        }
    }
}
