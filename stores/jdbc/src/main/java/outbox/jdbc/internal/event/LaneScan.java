package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import outbox.internal.KeyHash;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.spi.ClaimRequest;

/**
 * Goes from lane to lane when the events that are due longest all wait behind others of their keys: a hundred
 * thousand events behind one parked key then cost the others nothing.
 *
 * <p>An ordered choice looks at a window of due events only. If that is full and gave too little, this takes the head
 * of one lane after the other, each by one look into the index of lanes, beginning at a place that the claim's token
 * gives, so that all lanes have their turn. A head is what one snapshot shows to have no older event before it, so
 * the rule of order holds. Keys of the same hash share a lane here, which delays them and does not disorder them.
 */
public record LaneScan(Dialect dialect, EventSql sql, ClaimRequest request) {

    /** How many lanes are searched at once for a suspect. */
    private static final int SUSPECT_LOOKS = 50;

    /** What was claimed, and what the lanes give beside it. */
    public List<StoredRow> complete(Connection conn, List<StoredRow> claimed) throws SQLException {
        if (claimed.size() >= request.eventsMax() || !windowIsFull(conn)) {
            return claimed;
        }
        List<StoredRow> all = new ArrayList<>(claimed);
        all.addAll(new ThreeStepClaim(dialect, sql, request).lockAndMark(conn, heads(conn, claimed)));
        return all;
    }

    private boolean windowIsFull(Connection conn) throws SQLException {
        String count = "SELECT COUNT(*) FROM (" + sql.window + ") counted";
        try (PreparedStatement statement = conn.prepareStatement(count);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getInt(1) >= EventSql.WINDOW;
        }
    }

    // Most heads are no suspects.
    private int looksMax() {
        return request.suspects() ? SUSPECT_LOOKS : request.eventsMax();
    }

    private List<String> heads(Connection conn, List<StoredRow> claimed) throws SQLException {
        List<String> ids = new ArrayList<>();
        long bytes =
                claimed.stream().mapToLong(row -> row.event().payloadSize()).sum();
        int start = KeyHash.of(request.terms().token());
        int hash = start;
        boolean wrapped = false;
        try (PreparedStatement statement = conn.prepareStatement(sql.headOfNextLane)) {
            for (int looks = 0; looks < looksMax() && claimed.size() + ids.size() < request.eventsMax(); looks++) {
                statement.setInt(1, hash);
                try (ResultSet head = statement.executeQuery()) {
                    if (!head.next()) {
                        if (wrapped) {
                            return ids;
                        }
                        wrapped = true;
                        hash = -1;
                        continue;
                    }
                    hash = head.getInt("key_hash");
                    if (wrapped && hash > start) {
                        return ids;
                    }
                    bytes += head.getLong("size");
                    if (bytes > request.bytesMax() && claimed.size() + ids.size() > 0) {
                        return ids;
                    }
                    boolean suspect = head.getInt("deaths") >= ClaimRequest.SUSPECT_FROM;
                    if (head.getInt("free") == 1 && suspect == request.suspects()) {
                        ids.add(head.getString("event_id"));
                    }
                }
            }
        }
        return ids;
    }
}
