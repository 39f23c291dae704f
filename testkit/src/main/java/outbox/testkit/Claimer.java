package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import outbox.internal.Ulids;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;

/** One instance that uses the store, a step at a time. Every claim has a token of its own. */
final class Claimer {

    /** Longer than any test takes: such a claim never expires. */
    static final Duration LONG = Duration.ofHours(1);
    /** Over before the next statement arrives, or soon after. */
    static final Duration BRIEF = Duration.ofMillis(1);

    private static final int EVENTS_MAX = 1_000;
    private static final long BYTES_MAX = 64L * 1024 * 1024;

    /** The node that the failures of every claimer name. */
    static final String NODE = "claimer";

    private final ClaimStore store;
    private final SettleStore settlements;

    Claimer(StoreFixture fixture) {
        this.store = fixture.claimStore();
        this.settlements = fixture.settleStore();
        store.open();
    }

    static ClaimTerms terms(Duration lease) {
        return new ClaimTerms(Ulids.SYSTEM.next(), lease);
    }

    List<Held> claim() {
        return claim(EVENTS_MAX);
    }

    List<Held> claim(int eventsMax) {
        return claim(new ClaimRequest(terms(LONG), Duration.ZERO, eventsMax, BYTES_MAX));
    }

    List<Held> claimFor(Duration lease) {
        return claim(new ClaimRequest(terms(lease), Duration.ZERO, EVENTS_MAX, BYTES_MAX));
    }

    /** Claims once the brief claims of another instance have expired. */
    List<Held> claimWhenExpired() {
        return Await.nonEmpty("an expired claim can be taken", this::claim);
    }

    /** Claims one suspect; empty when there is none. */
    List<Held> claimSuspect(Duration lease) {
        return claim(ClaimRequest.oneSuspect(terms(lease)));
    }

    Held claimSuspectWhenExpired() {
        return claimSuspectWhenExpired(LONG);
    }

    /** Claims a suspect once the brief claim of it has expired. */
    Held claimSuspectWhenExpired(Duration lease) {
        List<Held> claimed = Await.nonEmpty("a suspect can be taken", () -> claimSuspect(lease));
        assertThat(claimed).hasSize(1);
        return claimed.getFirst();
    }

    List<Held> claimSkipping(Duration recent) {
        return claim(new ClaimRequest(terms(LONG), recent, EVENTS_MAX, BYTES_MAX));
    }

    List<Held> claimBytes(long bytesMax) {
        return claim(new ClaimRequest(terms(LONG), Duration.ZERO, EVENTS_MAX, bytesMax));
    }

    List<String> claimIds() {
        return Held.ids(claim());
    }

    /** Claims what there is, which must be one event. */
    Held claimOnly() {
        List<Held> claimed = claim();
        assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }

    /** Claims this event if it is free, whether or not it is due. */
    boolean canTake(String eventId) {
        return store.claimOne(eventId, terms(LONG));
    }

    private List<Held> claim(ClaimRequest request) {
        List<OutboxEvent> rows = store.claim(request);
        return rows.stream()
                .map(row ->
                        new Held(row, new Claim(row.eventId(), request.terms().token())))
                .toList();
    }

    Set<Claim> renew(Held... held) {
        return store.renew(claims(held), LONG);
    }

    int release(Held... held) {
        return store.release(claims(held));
    }

    /** How many items were written. */
    int settle(SettleItem... items) {
        return Collections.frequency(results(items), SettleResult.Item.WRITTEN);
    }

    List<SettleResult.Item> results(SettleItem... items) {
        SettleRequest request = new SettleRequest(
                new SettleRequest.Fence.Tokens(), NODE, List.of(items), SettleRequest.DoneRows.KEEP, List.of(), true);
        return ((SettleResult.Settled) settlements.settle(request)).items();
    }

    private static Set<Claim> claims(Held... held) {
        return Set.copyOf(List.of(held).stream().map(Held::claim).toList());
    }
}
