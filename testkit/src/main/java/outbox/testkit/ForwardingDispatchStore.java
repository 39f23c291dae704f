package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import outbox.Ordering;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.DispatchStore;
import outbox.spi.StoreCapabilities;

/** Passes everything on. A test overrides what is to go wrong. */
public class ForwardingDispatchStore implements DispatchStore {

    private final DispatchStore store;

    public ForwardingDispatchStore(DispatchStore store) {
        this.store = store;
    }

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
        return store.now();
    }

    @Override
    public void open(Ordering ordering) {
        store.open(ordering);
    }

    @Override
    public List<OutboxEvent> claim(ClaimRequest request) {
        return store.claim(request);
    }

    @Override
    public boolean claim(String eventId, ClaimTerms terms) {
        return store.claim(eventId, terms);
    }

    @Override
    public Set<Claim> renew(Set<Claim> claims, Duration lease) {
        return store.renew(claims, lease);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return store.settle(settlements);
    }

    @Override
    public int release(Set<Claim> claims) {
        return store.release(claims);
    }
}
