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

/** Builds updates that claim events, and filters that match a holder's events. */
final class Claims {

    /** The fields that are removed when a claim ends. */
    static final List<String> FIELDS = List.of(Field.CLAIM_TOKEN, Field.CLAIMED_AT, Field.CLAIM_MILLIS);

    private Claims() {}

    /** The deaths of a free event. An expired claim counts as one, because its holder never released it. */
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

    /** Whether a free event is, or is not, a suspect. */
    static Document suspicion(boolean suspect) {
        return Expression.of(suspect ? "$gte" : "$lt", DEATHS, ClaimRequest.SUSPECT_FROM);
    }

    static Document leased(Duration lease) {
        return new Document(Field.CLAIMED_AT, Expression.NOW).append(Field.CLAIM_MILLIS, Expression.millis(lease));
    }

    /** Filters that together match the pending events whose claims still hold, one for each token. */
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
