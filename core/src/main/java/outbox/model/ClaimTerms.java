package outbox.model;

import java.time.Duration;

/** The token of a claim, and how long the claim lasts by the database's clock. */
public record ClaimTerms(String token, Duration lease) {

    public ClaimTerms {
        if (token.isEmpty() || token.length() > 36) {
            throw new IllegalArgumentException("claim token must have 1 to 36 characters, had " + token.length());
        }
        if (lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("lease must be positive, was " + lease);
        }
    }
}
