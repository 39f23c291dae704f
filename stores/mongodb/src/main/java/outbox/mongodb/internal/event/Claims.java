package outbox.mongodb.internal.event;

import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.spi.ClaimRequest;

/** How a claim is written, and what a holder finds its events by. */
final class Claims {

    /** The fields that end with a claim. */
    static final List<String> FIELDS = List.of(Field.CLAIM_TOKEN, Field.CLAIMED_AT, Field.CLAIM_MILLIS);

    private Claims() {}

    /** The deaths of an event that is free, with the one that its expired claim is evidence of. */
    private static final Document DEATHS = Expression.of(
            "$add", Expression.of("$ifNull", "$" + Field.DEATHS, 0), Expression.of("$cond", isClaimed(), 1, 0));

    private static Document isClaimed() {
        return Expression.of("$gt", "$" + Field.CLAIM_TOKEN, null);
    }

    static Document claimed(ClaimTerms terms) {
        Document known = Expression.of("$ifNull", "$" + Field.DEATHS, Expression.REMOVE);
        return leased(terms.lease())
                .append(Field.CLAIM_TOKEN, Expression.literal(terms.token()))
                .append(Field.DEATHS, Expression.of("$cond", isClaimed(), DEATHS, known));
    }

    /** Whether an event that is free is a suspect, or is none. */
    static Document suspicion(boolean suspect) {
        return Expression.of(suspect ? "$gte" : "$lt", DEATHS, ClaimRequest.SUSPECT_FROM);
    }

    static Document leased(Duration lease) {
        return new Document(Field.CLAIMED_AT, Expression.NOW).append(Field.CLAIM_MILLIS, Expression.millis(lease));
    }

    /** Filters that together find the pending events whose claims still hold; one for each token. */
    static List<Bson> held(Collection<Claim> claims) {
        Map<String, List<String>> idsByToken = new LinkedHashMap<>();
        claims.forEach(claim -> idsByToken
                .computeIfAbsent(claim.token(), token -> new ArrayList<>())
                .add(claim.eventId()));
        List<Bson> filters = new ArrayList<>();
        idsByToken.forEach((token, ids) -> filters.add(
                Filters.and(Filters.in(Field.ID, ids), Expression.PENDING, Filters.eq(Field.CLAIM_TOKEN, token))));
        return filters;
    }
}
