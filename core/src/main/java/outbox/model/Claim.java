package outbox.model;

/**
 * One instance's exclusive right to deliver one event. The token is new for every claim, so a late holder matches
 * nothing. The owner of a partition has one token for all its events, so its claims also carry the number of replays.
 *
 * @param replays how often the event had been replayed when the owner of its partition read it. A settlement that is
 *     repeated after a lost reply changes nothing if an operator has replayed the event meanwhile. Not compared for
 *     claims by token, because a replay removes the token.
 */
public record Claim(String eventId, String token, int replays) {

    public Claim(String eventId, String token) {
        this(eventId, token, 0);
    }
}
