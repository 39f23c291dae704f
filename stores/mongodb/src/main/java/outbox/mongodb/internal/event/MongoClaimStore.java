package outbox.mongodb.internal.event;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateManyModel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.schema.SchemaCheck;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;

/**
 * Claims by token and lease. A claim is three commands: choose by a look that changes nothing, mark what is still free
 * with the token of this claim, read back what has it.
 */
public final class MongoClaimStore implements ClaimStore {

    /** How often a claimer chooses anew when others were faster. */
    private static final int CHOICES_MAX = 3;

    private final MongoSource source;

    public MongoClaimStore(MongoSource source) {
        this.source = source;
    }

    @Override
    public OptionalInt connectionsMax() {
        return OptionalInt.empty();
    }

    @Override
    public Instant now() {
        return source.now();
    }

    @Override
    public void open() {
        new SchemaCheck(source).open();
    }

    @Override
    public List<OutboxEvent> claim(ClaimRequest request) {
        List<OutboxEvent> claimed = new ArrayList<>();
        long bytes = 0;
        for (int choice = 0; choice < CHOICES_MAX; choice++) {
            ClaimRequest rest = new ClaimRequest(
                    request.terms(),
                    request.skipRecent(),
                    request.eventsMax() - claimed.size(),
                    request.bytesMax() - bytes,
                    request.suspects());
            List<Object> chosen = new ClaimQuery(source, rest, claimed.isEmpty()).ids();
            List<OutboxEvent> taken = chosen.isEmpty() ? List.of() : take(chosen, request);
            claimed.addAll(taken);
            bytes += taken.stream().mapToLong(OutboxEvent::payloadSize).sum();
            boolean othersWereFaster = taken.size() < chosen.size();
            if (!othersWereFaster || claimed.size() >= request.eventsMax() || bytes >= request.bytesMax()) {
                return claimed;
            }
        }
        return claimed;
    }

    private List<OutboxEvent> take(List<Object> chosen, ClaimRequest request) {
        Bson stillFree = Filters.and(
                Filters.in(Field.ID, chosen),
                Expression.PENDING,
                Expression.all(Expression.DUE, Expression.FREE, Claims.suspicion(request.suspects())));
        Document claim = Claims.claimed(request.terms());
        return source.use("claim events", collections -> {
            collections.events().updateMany(stillFree, List.of(new Document("$set", claim)), SettleUpdates.BY_ID);
            Map<Object, OutboxEvent> byId = new HashMap<>();
            List<StoredEvent> faulty = new ArrayList<>();
            collections
                    .storedEvents()
                    .find(Filters.and(
                            Filters.in(Field.ID, chosen),
                            Filters.eq(Field.CLAIM_TOKEN, request.terms().token())))
                    .projection(EventDocuments.FIELDS)
                    .forEach(event -> {
                        if (event.isReadable()) {
                            byId.put(event.event().eventId(), event.event());
                        } else {
                            faulty.add(event);
                        }
                    });
            if (!faulty.isEmpty()) {
                new CorruptEvents(source).setDead(faulty);
            }
            return chosen.stream().map(byId::get).filter(Objects::nonNull).toList();
        });
    }

    @Override
    public boolean claimOne(String eventId, ClaimTerms terms) {
        Bson free = Filters.and(
                Filters.eq(Field.ID, eventId),
                Expression.PENDING,
                Expression.all(Expression.FREE, Claims.suspicion(false)));
        Document claim = Claims.claimed(terms);
        return source.use(
                                "claim event " + eventId,
                                collections -> collections
                                        .events()
                                        .updateOne(free, List.of(new Document("$set", claim)), SettleUpdates.BY_ID))
                        .getMatchedCount()
                == 1;
    }

    @Override
    public Set<Claim> renew(Set<Claim> claims, Duration lease) {
        if (claims.isEmpty()) {
            return claims;
        }
        List<Bson> prolonged = List.of(new Document("$set", Claims.leased(lease)));
        return source.use("renew claims", collections -> {
            BulkWriteResult result = collections
                    .events()
                    .bulkWrite(Claims.held(claims).stream()
                            .map(held -> new UpdateManyModel<Document>(held, prolonged, SettleUpdates.BY_ID))
                            .toList());
            return result.getMatchedCount() == claims.size() ? claims : stillHeld(collections, claims);
        });
    }

    private static Set<Claim> stillHeld(OutboxCollections collections, Set<Claim> claims) {
        Set<Claim> held = new HashSet<>();
        collections
                .events()
                .find(Filters.and(
                        Filters.in(Field.ID, claims.stream().map(Claim::eventId).toList()),
                        Expression.PENDING,
                        Filters.exists(Field.CLAIM_TOKEN)))
                .projection(Projections.include(Field.CLAIM_TOKEN))
                .forEach(event -> held.add(new Claim(event.getString(Field.ID), event.getString(Field.CLAIM_TOKEN))));
        held.retainAll(claims);
        return held;
    }

    @Override
    public int release(Set<Claim> claims) {
        if (claims.isEmpty()) {
            return 0;
        }
        List<Bson> unclaim = List.of(new Document("$unset", Claims.FIELDS));
        return source.use(
                "release claims",
                collections -> collections
                        .events()
                        .bulkWrite(Claims.held(claims).stream()
                                .map(held -> new UpdateManyModel<Document>(held, unclaim, SettleUpdates.BY_ID))
                                .toList())
                        .getMatchedCount());
    }
}
