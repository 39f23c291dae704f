package outbox.mongodb.internal.relay;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.spi.operations.ClusterReport;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;

/** The documents of nodes. A member is alive until its time expires by the server's clock. */
public record NodeDocuments(ClientSession session, OutboxCollections collections) {

    static final String ID = "_id";
    public static final String EXPIRES_AT = "expiresAt";
    static final String JOINED_AT = "joinedAt";
    private static final String HEARTBEAT_AT = "heartbeatAt";
    private static final String NODE_ID = "nodeId";
    private static final String WEIGHT = "weight";
    private static final String VERSION = "version";
    private static final String ADDRESS = "address";
    private static final String INTERVAL_MICROS = "intervalMicros";
    private static final String READY = "ready";

    static final Bson ALIVE = Filters.expr(Expression.of("$gt", "$" + EXPIRES_AT, Expression.NOW));
    private static final Bson EXPIRED = Filters.expr(Expression.of("$lte", "$" + EXPIRES_AT, Expression.NOW));

    static Document heartbeat(Heartbeat heartbeat) {
        return alive(heartbeat.timeout())
                .append(INTERVAL_MICROS, Expression.literal(micros(heartbeat.interval())))
                .append(READY, Expression.literal(heartbeat.ready()));
    }

    private static Document alive(Duration timeout) {
        return new Document(HEARTBEAT_AT, Expression.NOW).append(EXPIRES_AT, Expression.after(timeout));
    }

    private static long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }

    /**
     * The state of a member. MongoDB shows clients' connections only to administrators, so no disconnection is
     * reported.
     */
    static MemberState state(Document node, Instant now) {
        return new MemberState(
                Duration.between(EventDocuments.required(node, HEARTBEAT_AT), now),
                interval(node),
                isReady(node),
                false);
    }

    // Older versions do not write these fields: they count as ready from the start, and their heartbeats have no
    // interval.
    private static Duration interval(Document node) {
        return Duration.of(node.get(INTERVAL_MICROS, 0L), ChronoUnit.MICROS);
    }

    private static boolean isReady(Document node) {
        return node.get(READY, true);
    }

    static Member member(Document node) {
        return new Member(
                node.getString(ID),
                node.getString(NODE_ID),
                node.getInteger(WEIGHT),
                node.getString(VERSION),
                node.getString(ADDRESS));
    }

    public static ClusterReport.Node node(Document node) {
        return new ClusterReport.Node(
                member(node),
                EventDocuments.required(node, JOINED_AT),
                EventDocuments.required(node, HEARTBEAT_AT),
                EventDocuments.required(node, EXPIRES_AT),
                interval(node),
                isReady(node));
    }

    void add(Member member, Duration timeout) {
        Document fields = new Document(NODE_ID, Expression.literal(member.nodeId()))
                .append(WEIGHT, Expression.literal(member.weight()))
                .append(VERSION, Expression.literal(member.version()))
                .append(ADDRESS, Expression.literal(member.address()))
                .append(READY, Expression.literal(false))
                .append(JOINED_AT, Expression.NOW);
        fields.putAll(alive(timeout));
        collections
                .nodes()
                .updateOne(
                        session,
                        Filters.eq(ID, member.session()),
                        List.of(new Document("$set", fields)),
                        new UpdateOptions().upsert(true));
    }

    boolean isAlive(String member) {
        Bson alive = Filters.and(Filters.eq(ID, member), ALIVE);
        return collections.nodes().find(session, alive).first() != null;
    }

    /**
     * Whether a session has expired or left. An expired one is written, so that this transaction fails if the session
     * has sent a heartbeat since the snapshot.
     */
    boolean isGone(String member) {
        Bson expired = Filters.and(Filters.eq(ID, member), EXPIRED);
        Document change = new Document("$inc", new Document("overtaken", 1));
        return collections.nodes().updateOne(session, expired, change).getMatchedCount() == 1
                || collections.nodes().find(session, Filters.eq(ID, member)).first() == null;
    }

    /** The node ids of the live members. */
    List<String> alive() {
        return collections
                .nodes()
                .find(session, ALIVE)
                .sort(Sorts.ascending(JOINED_AT, ID))
                .map(node -> node.getString(NODE_ID))
                .into(new ArrayList<>());
    }

    void remove(String member) {
        collections.nodes().deleteOne(session, Filters.eq(ID, member));
    }

    /** Removes nodes that expired longer ago than this, and returns their ids. */
    List<String> removeExpired(Duration olderThan) {
        Bson old = Filters.expr(Expression.of("$lte", "$" + EXPIRES_AT, Expression.before(olderThan)));
        List<Member> expired = collections
                .nodes()
                .find(session, old)
                .sort(Sorts.ascending(JOINED_AT, ID))
                .map(NodeDocuments::member)
                .into(new ArrayList<>());
        expired.forEach(member -> remove(member.session()));
        return expired.stream().map(Member::nodeId).toList();
    }
}
