package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.FetchedEvent;
import outbox.util.JsonCodec;

/** One stored event. Never changed, only replaced, so that a reader keeps what it saw. */
record Row(
        long seq, int keyHash, OutboxEvent event, @Nullable RowClaim currentClaim, long payloadBytes) {

    /** Whose the event is, and until when. */
    record RowClaim(String token, Instant until) {

        static RowClaim of(ClaimTerms terms, Instant now) {
            return new RowClaim(terms.token(), now.plus(terms.lease()));
        }
    }

    static Row inserted(long seq, EventEnvelope event, @Nullable ClaimTerms claim, Instant now) {
        Instant delayedTo = event.availableAt();
        EventState state =
                new EventState(EventStatus.NEW, 0, now, delayedTo == null ? now : delayedTo, null, null, null);
        OutboxEvent stored = new OutboxEvent(
                event.eventId(),
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                event.payloadJson(),
                event.payloadBytes(),
                event.headers().isEmpty() ? null : JsonCodec.encode(event.headers()),
                event.occurredAt(),
                event.maxAttempts().isPresent() ? event.maxAttempts().getAsInt() : null,
                state);
        return new Row(
                seq,
                event.laneHash(),
                stored,
                claim == null || delayedTo != null ? null : RowClaim.of(claim, now),
                event.payloadSize());
    }

    String id() {
        return event.eventId();
    }

    EventState state() {
        return event.state();
    }

    boolean isPending() {
        return state().status() == EventStatus.NEW || state().status() == EventStatus.RETRY;
    }

    boolean isDueAt(Instant now) {
        return isPending() && !state().availableAt().isAfter(now);
    }

    /** Whether it was given a time of its own and has not been attempted since. */
    boolean isDelayed() {
        return state().status() == EventStatus.NEW && !state().availableAt().equals(state().createdAt());
    }

    /** Whether it has its place in its lane: a delayed one joins when it is due, a retry keeps its place. */
    boolean isInOrderAt(Instant now) {
        return isPending() && !(isDelayed() && state().availableAt().isAfter(now));
    }

    /** The row as a relay reads it. */
    FetchedEvent pendingAt(Instant now) {
        boolean waits =
                state().status() == EventStatus.RETRY && state().availableAt().isAfter(now);
        Duration untilDue = waits ? Duration.between(now, state().availableAt()) : Duration.ZERO;
        return new FetchedEvent(seq, keyHash, read(), untilDue);
    }

    boolean isClaimedAt(Instant now) {
        return currentClaim != null && currentClaim.until().isAfter(now);
    }

    /** Whether nobody has taken the event since this claim, which may have expired. */
    boolean isStillOf(Claim claim) {
        return currentClaim != null && currentClaim.token().equals(claim.token());
    }

    /** Held anew; a holder before, if it did not give the event back, has died. */
    Row claimed(ClaimTerms terms, Instant now) {
        return new Row(seq, keyHash, withDeaths(deaths()), RowClaim.of(terms, now), payloadBytes);
    }

    Row marked(int deaths) {
        return new Row(seq, keyHash, withDeaths(deaths), currentClaim, payloadBytes);
    }

    Row renewed(Duration lease, Instant now) {
        RowClaim prolonged = new RowClaim(Objects.requireNonNull(currentClaim).token(), now.plus(lease));
        return new Row(seq, keyHash, event, prolonged, payloadBytes);
    }

    /** Whether an event that is free may only be claimed alone. */
    boolean isSuspect() {
        return deaths() >= ClaimRequest.SUSPECT_FROM;
    }

    private int deaths() {
        return event.deaths() + (currentClaim == null ? 0 : 1);
    }

    private OutboxEvent withDeaths(int deaths) {
        EventState old = state();
        return copy(
                event.headersJson(),
                new EventState(
                        old.status(),
                        old.attempts(),
                        old.createdAt(),
                        old.availableAt(),
                        old.lastAttemptAt(),
                        old.doneAt(),
                        old.lastError(),
                        old.replays(),
                        deaths));
    }

    Row released() {
        return new Row(seq, keyHash, event, null, payloadBytes);
    }

    Row settled(Settlement settlement, Instant now) {
        EventState old = state();
        return switch (settlement) {
            case Settlement.Done done ->
                free(new EventState(
                        EventStatus.DONE,
                        old.attempts(),
                        old.createdAt(),
                        old.availableAt(),
                        now,
                        now,
                        old.lastError(),
                        old.replays(),
                        0));
            case Settlement.Retry retry ->
                free(failed(EventStatus.RETRY, 1, now.plus(retry.delay()), now, retry.error()));
            case Settlement.Postponed postponed ->
                free(failed(EventStatus.RETRY, 0, now.plus(postponed.delay()), now, postponed.error()));
            case Settlement.Dead dead ->
                free(failed(EventStatus.DEAD, dead.counts() ? 1 : 0, old.availableAt(), now, dead.error()));
        };
    }

    private EventState failed(EventStatus status, int counted, Instant availableAt, Instant now, String error) {
        EventState old = state();
        return new EventState(
                status,
                old.attempts() + counted,
                old.createdAt(),
                availableAt,
                now,
                old.doneAt(),
                ErrorText.fit(error),
                old.replays(),
                0);
    }

    /** New again, with no attempts behind it. */
    Row replayed(Instant now) {
        int replays = state().replays() + 1;
        return free(new EventState(EventStatus.NEW, 0, state().createdAt(), now, null, null, null, replays, 0));
    }

    /** Done without having been delivered. */
    Row discarded(String error, Instant now) {
        EventState old = state();
        return free(new EventState(
                EventStatus.DONE,
                old.attempts(),
                old.createdAt(),
                old.availableAt(),
                old.lastAttemptAt(),
                now,
                ErrorText.fit(error),
                old.replays(),
                0));
    }

    /** With what an operator has given it to carry. */
    Row edited(EventEdit edit) {
        boolean newPayload = edit.payloadJson() != null;
        OutboxEvent changed = new OutboxEvent(
                event.eventId(),
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                newPayload ? edit.payloadJson() : event.payloadJson(),
                newPayload ? null : event.payloadBytes(),
                headersAfter(edit),
                event.occurredAt(),
                event.maxAttempts(),
                state());
        return new Row(seq, keyHash, changed, currentClaim, changed.payloadSize());
    }

    private @Nullable String headersAfter(EventEdit edit) {
        if (edit.headers() == null) {
            return event.headersJson();
        }
        return edit.headers().isEmpty() ? null : JsonCodec.encode(edit.headers());
    }

    EventSummary summary() {
        return new EventSummary(
                event.eventId(),
                seq,
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                event.occurredAt(),
                state());
    }

    private Row free(EventState state) {
        return new Row(seq, keyHash, copy(event.headersJson(), state), null, payloadBytes);
    }

    Row withHeaders(String headersText) {
        return new Row(seq, keyHash, copy(headersText, state()), currentClaim, payloadBytes);
    }

    /** The event with a payload array of the reader's own, as a database would give it. */
    OutboxEvent read() {
        return copy(event.headersJson(), state());
    }

    private OutboxEvent copy(@Nullable String headersText, EventState state) {
        byte[] binary = event.payloadBytes();
        return new OutboxEvent(
                event.eventId(),
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                event.payloadJson(),
                binary == null ? null : binary.clone(),
                headersText,
                event.occurredAt(),
                event.maxAttempts(),
                state);
    }
}
