package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;

/** Passes everything on. A test overrides what is to go wrong. */
public class ForwardingStore implements ClaimStore, SettleStore {

    private final ClaimStore claims;
    private final SettleStore settlements;

    public ForwardingStore(StoreFixture store) {
        this.claims = store.claimStore();
        this.settlements = store.settleStore();
    }

    @Override
    public OptionalInt connectionsMax() {
        return claims.connectionsMax();
    }

    @Override
    public Instant now() {
        return claims.now();
    }

    @Override
    public void open() {
        claims.open();
    }

    @Override
    public List<OutboxEvent> claim(ClaimRequest request) {
        return claims.claim(request);
    }

    @Override
    public boolean claimOne(String eventId, ClaimTerms terms) {
        return claims.claimOne(eventId, terms);
    }

    @Override
    public Set<Claim> renew(Set<Claim> held, Duration lease) {
        return claims.renew(held, lease);
    }

    @Override
    public int release(Set<Claim> held) {
        return claims.release(held);
    }

    @Override
    public SettleResult settle(SettleRequest request) {
        return settlements.settle(request);
    }
}
