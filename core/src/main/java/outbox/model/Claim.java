package outbox.model;

/** One instance's hold on one event. The token is new for every claim, so a late holder matches nothing. */
public record Claim(String eventId, String token) {}
