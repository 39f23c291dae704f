package outbox.model;

/**
 * One instance's hold on one event. The token is new for every claim, so a late holder matches nothing. The owner of a slot
 * has one token for all its events, so its claims also name the event's life.
 *
 * @param replays how often the event had been replayed when the owner of its slot read it: a settlement that is repeated
 *     after a lost reply changes nothing if an operator has replayed the event meanwhile. Not compared for claims by token,
 *     because a replay removes the token.
 */
public record Claim(String eventId, String token, int replays) {

    public Claim(String eventId, String token) {
        this(eventId, token, 0);
    }
}
