package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import outbox.Ordering;
import outbox.internal.Ulids;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.DispatchStore;

/** One instance at work on the store, a step at a time. Every look has a token of its own. */
final class Claimer {

    /** Longer than any test takes: such a claim never expires. */
    static final Duration LONG = Duration.ofHours(1);
    /** Over before the next statement arrives, or soon after. */
    static final Duration BRIEF = Duration.ofMillis(1);

    private static final int EVENTS_MAX = 1_000;
    private static final long BYTES_MAX = 64L * 1024 * 1024;

    private final DispatchStore store;
    private final Ordering ordering;

    Claimer(DispatchStore store, Ordering ordering) {
        this.store = store;
        this.ordering = ordering;
        store.open(ordering);
    }

    static ClaimTerms terms(Duration lease) {
        return new ClaimTerms(Ulids.SYSTEM.next(), lease);
    }

    List<Held> claim() {
        return claim(EVENTS_MAX);
    }

    List<Held> claim(int eventsMax) {
        return claim(new ClaimRequest(terms(LONG), ordering, Duration.ZERO, eventsMax, BYTES_MAX));
    }

    List<Held> claimFor(Duration lease) {
        return claim(new ClaimRequest(terms(lease), ordering, Duration.ZERO, EVENTS_MAX, BYTES_MAX));
    }

    /** Claims once somebody's brief claims have expired. */
    List<Held> claimWhenExpired() {
        return Await.nonEmpty("an expired claim can be taken", this::claim);
    }

    /** Claims one suspect; empty when there is none. */
    List<Held> claimSuspect(Duration lease) {
        return claim(ClaimRequest.oneSuspect(terms(lease), ordering));
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
        return claim(new ClaimRequest(terms(LONG), ordering, recent, EVENTS_MAX, BYTES_MAX));
    }

    List<Held> claimBytes(long bytesMax) {
        return claim(new ClaimRequest(terms(LONG), ordering, Duration.ZERO, EVENTS_MAX, bytesMax));
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

    /** Claims this event whether or not it is its turn, if it is free. */
    boolean canTake(String eventId) {
        return store.claim(eventId, terms(LONG));
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

    int settle(Settlement... settlements) {
        return store.settle(List.of(settlements));
    }

    private static Set<Claim> claims(Held... held) {
        return Set.copyOf(List.of(held).stream().map(Held::claim).toList());
    }
}
