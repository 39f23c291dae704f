package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import outbox.jdbc.internal.dialect.PartitionReads;
import outbox.jdbc.internal.event.PendingRows;
import outbox.jdbc.internal.event.SetAside;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;

/**
 * Claim: reads lanes through their index. Many lanes are read by several statements: each lane is still seen by one
 * snapshot, and the rule of order asks for no more.
 */
public record LaneRead(PartitionReads reads, LaneFetch request, Consumer<SetAside.BadRow> unreadable) {

    private static final int LANES_MAX = 200;

    private static final Comparator<FetchedEvent> BY_LANE =
            Comparator.comparingInt(FetchedEvent::keyHash).thenComparingLong(FetchedEvent::seq);

    List<LanePage> execute(Connection conn) {
        List<Integer> lanes = request.lanes().stream().sorted().toList();
        Found found = new Found(request);
        for (int from = 0; from < lanes.size() && !found.full; from += LANES_MAX) {
            List<Integer> some = lanes.subList(from, Math.min(lanes.size(), from + LANES_MAX));
            found.add(read(conn, some, request.bytesMax() - found.bytes));
        }
        return found.of(lanes);
    }

    private List<PendingRows.Sized> read(Connection conn, List<Integer> lanes, long bytesMax) {
        String preface = reads.dialect().preferIndexes();
        Sql.Binding binding = statement -> {
            int at = reads.bindChosenLanes(conn, statement, lanes, request.eventsPerLaneMax() + 1);
            statement.setLong(at, bytesMax);
        };
        return Sql.query(preface, conn, "fetch events of " + lanes.size() + " lanes", sql(lanes), binding, this::rows);
    }

    public String sql(List<Integer> lanes) {
        return reads.front(reads.choiceOfLanes(lanes), "w.key_hash, w.seq");
    }

    private List<PendingRows.Sized> rows(ResultSet rows) throws SQLException {
        return rows.next() ? PendingRows.all(reads.dialect(), rows, BY_LANE, unreadable) : List.of();
    }

    /**
     * What fits, lane by lane. Bytes are counted as the statement counts them, over all rows, also over the one of a lane
     * that only shows that there are more. Otherwise the statement would cut where nothing here notices, and what it has
     * cut off would count as missing.
     */
    private static final class Found {

        private final LaneFetch request;
        private final Map<Integer, List<FetchedEvent>> events = new TreeMap<>();
        private final Set<Integer> cut = new HashSet<>();
        private long bytes;
        private boolean full;
        private int fullAt = Integer.MAX_VALUE;

        Found(LaneFetch request) {
            this.request = request;
        }

        void add(List<PendingRows.Sized> rows) {
            for (PendingRows.Sized row : rows) {
                int hash = row.event().keyHash();
                List<FetchedEvent> lane = events.computeIfAbsent(hash, h -> new ArrayList<>());
                boolean first = isFirst(lane);
                bytes += row.size();
                if (bytes > request.bytesMax() && !first) {
                    full = true;
                    fullAt = hash;
                    return;
                }
                if (lane.size() == request.eventsPerLaneMax()) {
                    cut.add(hash);
                } else {
                    lane.add(row.event());
                }
            }
        }

        private boolean isFirst(List<FetchedEvent> lane) {
            return lane.isEmpty() && events.size() == 1;
        }

        List<LanePage> of(List<Integer> lanes) {
            return lanes.stream()
                    .map(hash -> new LanePage(
                            hash, events.getOrDefault(hash, List.of()), !cut.contains(hash) && hash < fullAt))
                    .toList();
        }
    }
}
