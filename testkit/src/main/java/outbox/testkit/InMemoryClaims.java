package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.relay.StoredLayout;

/** Claims in memory. */
final class InMemoryClaims implements ClaimStore {

    private static final Comparator<Row> LONGEST_DUE_FIRST =
            Comparator.comparing((Row row) -> row.state().availableAt()).thenComparingLong(Row::seq);

    private final Table table;
    private final Registry registry;

    InMemoryClaims(Table table, Registry registry) {
        this.table = table;
        this.registry = registry;
    }

    @Override
    public OptionalInt connectionsMax() {
        return OptionalInt.empty();
    }

    @Override
    public Instant now() {
        return table.atomically(table::now);
    }

    @Override
    public void open() {
        String agreed = table.atomically(() -> registry.agreeOn(StoredLayout.DISPATCHER));
        StoredLayout.requireDispatchers("the store", agreed, "a new store");
    }

    @Override
    public List<OutboxEvent> claim(ClaimRequest request) {
        return table.atomically(() -> {
            Instant now = table.now();
            List<Row> taken = withinBytes(claimable(request, now), request.bytesMax()).stream()
                    .map(row -> row.claimed(request.terms(), now))
                    .toList();
            taken.forEach(table::replace);
            return taken.stream().map(Row::read).toList();
        });
    }

    private List<Row> claimable(ClaimRequest request, Instant now) {
        Predicate<Row> allowed =
                row -> request.skipRecent().isZero() || !isRecent(row, now.minus(request.skipRecent()));
        return table.pending().all().stream()
                .filter(row -> row.isDueAt(now) && !row.isClaimedAt(now) && row.isSuspect() == request.suspects())
                .filter(allowed)
                .sorted(LONGEST_DUE_FIRST)
                .limit(request.eventsMax())
                .toList();
    }

    private static boolean isRecent(Row row, Instant limit) {
        boolean onTheHotPath = row.state().lastAttemptAt() == null
                && row.state().availableAt().equals(row.state().createdAt());
        return onTheHotPath && row.state().createdAt().isAfter(limit);
    }

    private static List<Row> withinBytes(List<Row> rows, long bytesMax) {
        List<Row> taken = new ArrayList<>();
        long bytes = 0;
        for (Row row : rows) {
            bytes += row.payloadBytes();
            if (bytes > bytesMax && !taken.isEmpty()) {
                return taken;
            }
            taken.add(row);
        }
        return taken;
    }

    @Override
    public boolean claimOne(String eventId, ClaimTerms terms) {
        return table.atomically(() -> {
            Row row = table.find(eventId);
            Instant now = table.now();
            if (row == null || !row.isPending() || row.isClaimedAt(now) || row.isSuspect()) {
                return false;
            }
            table.replace(row.claimed(terms, now));
            return true;
        });
    }

    @Override
    public Set<Claim> renew(Set<Claim> claims, Duration lease) {
        return table.atomically(() -> {
            Set<Claim> renewed = new HashSet<>();
            for (Claim claim : claims) {
                Row row = claimedRow(claim);
                if (row != null) {
                    table.replace(row.renewed(lease, table.now()));
                    renewed.add(claim);
                }
            }
            return renewed;
        });
    }

    @Override
    public int release(Set<Claim> claims) {
        return table.atomically(() -> {
            int released = 0;
            for (Claim claim : claims) {
                Row row = claimedRow(claim);
                if (row != null) {
                    table.replace(row.released());
                    released++;
                }
            }
            return released;
        });
    }

    private @Nullable Row claimedRow(Claim claim) {
        Row row = table.find(claim.eventId());
        return row != null && row.isStillOf(claim) ? row : null;
    }
}
