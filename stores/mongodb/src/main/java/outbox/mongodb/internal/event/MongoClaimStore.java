package outbox.mongodb.internal.event;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.result.UpdateResult;
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
 * Claims events by token and lease. A claim is three commands: select candidates, write the claim's token into those
 * that are still free, and read back the events with this token.
 */
public final class MongoClaimStore implements ClaimStore {

    /** How often a claimer selects again when other claimers were faster. */
    private static final int SELECTIONS_MAX = 3;

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
        for (int selections = 0; selections < SELECTIONS_MAX; selections++) {
            ClaimRequest rest = new ClaimRequest(
                    request.terms(),
                    request.skipRecent(),
                    request.eventsMax() - claimed.size(),
                    request.bytesMax() - bytes,
                    request.suspects());
            List<Object> candidates = new ClaimQuery(source, rest, claimed.isEmpty()).ids();
            List<OutboxEvent> taken = candidates.isEmpty() ? List.of() : take(candidates, request);
            claimed.addAll(taken);
            bytes += taken.stream().mapToLong(OutboxEvent::payloadSize).sum();
            boolean othersWereFaster = taken.size() < candidates.size();
            if (!othersWereFaster || claimed.size() >= request.eventsMax() || bytes >= request.bytesMax()) {
                break;
            }
        }
        return claimed;
    }

    private List<OutboxEvent> take(List<Object> candidates, ClaimRequest request) {
        Bson stillFree = Filters.and(
                Filters.in(Field.ID, candidates),
                Expression.PENDING,
                Expression.all(Expression.DUE, Expression.FREE, Claims.suspicion(request.suspects())));
        Document claim = Claims.claimed(request.terms());
        return source.use("claim events", collections -> {
            collections.events().updateMany(stillFree, List.of(new Document("$set", claim)), SettleUpdates.BY_ID);
            Bson claimed = Filters.and(
                    Filters.in(Field.ID, candidates),
                    Filters.eq(Field.CLAIM_TOKEN, request.terms().token()));
            Map<Object, OutboxEvent> byId = new HashMap<>();
            List<StoredEvent> faulty = new ArrayList<>();
            for (StoredEvent event : collections.storedEvents().find(claimed).projection(EventDocuments.FIELDS)) {
                if (event.isReadable()) {
                    byId.put(event.event().eventId(), event.event());
                } else {
                    faulty.add(event);
                }
            }
            if (!faulty.isEmpty()) {
                new CorruptEvents(source).setDead(faulty);
            }
            return candidates.stream().map(byId::get).filter(Objects::nonNull).toList();
        });
    }

    @Override
    public boolean claimOne(String eventId, ClaimTerms terms) {
        Bson free = Filters.and(
                Filters.eq(Field.ID, eventId),
                Expression.PENDING,
                Expression.all(Expression.FREE, Claims.suspicion(false)));
        Document claim = Claims.claimed(terms);
        UpdateResult claimed = source.use(
                "claim event " + eventId,
                collections -> collections
                        .events()
                        .updateOne(free, List.of(new Document("$set", claim)), SettleUpdates.BY_ID));
        return claimed.getMatchedCount() == 1;
    }

    @Override
    public Set<Claim> renew(Set<Claim> claims, Duration lease) {
        if (claims.isEmpty()) {
            return claims;
        }
        Document prolonged = new Document("$set", Claims.leased(lease));
        return source.use(
                "renew claims",
                collections -> update(collections, claims, prolonged) == claims.size()
                        ? claims
                        : stillHeld(collections, claims));
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
        Document unclaimed = new Document("$unset", Claims.FIELDS);
        return claims.isEmpty()
                ? 0
                : source.use("release claims", collections -> update(collections, claims, unclaimed));
    }

    /** Updates the events whose claims still hold, and returns their number. */
    private static int update(OutboxCollections collections, Set<Claim> claims, Document change) {
        return collections
                .events()
                .bulkWrite(Claims.held(claims).stream()
                        .map(held -> new UpdateManyModel<Document>(held, List.of(change), SettleUpdates.BY_ID))
                        .toList())
                .getMatchedCount();
    }
}
