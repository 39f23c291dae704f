package catbox.bench;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;

/** All reads of an operator, each time with other arguments. */
final class AdminReads {

    private static final int PAGE = 50;
    private static final int DEEP_PAGES = 100;

    /** One read: as a method, and as a URL. */
    record ReadCall(Function<OutboxAdmin, Object> method, String path) {}

    /** A kind of read, which gets other arguments each time. */
    record Read(String name, Function<Random, ReadCall> readCall) {}

    private final OutboxAdmin admin;
    private final Instant from;
    private final List<Read> reads = new ArrayList<>();

    AdminReads(OutboxAdmin admin) {
        this.admin = admin;
        EventSummary latest = page(EventFilter.ALL, null, 1).events().get(0);
        this.from = latest.state().createdAt().minus(AdminTable.LASTING);
    }

    List<Read> all() {
        addEvents();
        addSearches();
        addOne();
        reads.add(still("overview", new Request.Overview()));
        reads.add(still("dead", new Request.Dead()));
        reads.add(still("nodes", new Request.Nodes()));
        reads.add(still("partitions", new Request.Partitions()));
        reads.add(still("pauses", new Request.Pauses()));
        reads.add(still("doctor", new Request.Doctor()));
        addAudit();
        return List.copyOf(reads);
    }

    private static Read still(String name, Request<?> request) {
        return new Read(name, random -> new ReadCall(admin -> admin.run(request), name));
    }

    // ---- lists ---------------------------------------------------------------------------------------------------

    private void addEvents() {
        add("events", random -> EventFilter.ALL);
        addDeep("events, deep page", EventFilter.ALL, this::cursorsOfIds);
        for (State state : State.values()) {
            EventFilter filter = EventFilter.ALL.withState(state);
            String name = "events, " + state.name().toLowerCase(Locale.ROOT);
            add(name, random -> filter);
            addDeep(name + ", deep page", filter, () -> cursors(filter));
        }
    }

    private void addSearches() {
        for (@Nullable State state : new @Nullable State[] {null, State.DONE, State.DEAD, State.PENDING}) {
            EventFilter any = EventFilter.ALL.withState(state);
            String of = state == null ? "" : state.name().toLowerCase(Locale.ROOT) + " ";
            add("events, " + of + "by type", random -> any.withEventType(AdminTable.type(random.nextInt(99))));
            add("events, " + of + "by key", random -> any.withKey(key(random)));
            add("events, " + of + "by time", random -> hour(any, random));
            add("events, " + of + "by aggregate", random -> any.withAggregateId(key(random)));
            add("events, " + of + "by a tenant that has none", random -> any.withTenantId("t" + random.nextInt(99)));
        }
        EventFilter dead = EventFilter.ALL.withState(State.DEAD);
        add("events, dead by error", random -> dead.withError(AdminTable.errorShape(random.nextInt(99)) + "* ms"));
        add("events, dead by an error that none has", random -> dead.withError("*" + random.nextInt() + "*"));
        add(
                "events, by time and type",
                random -> hour(EventFilter.ALL.withEventType(AdminTable.type(random.nextInt(99))), random));
    }

    private EventFilter hour(EventFilter filter, Random random) {
        Instant begin = time(random);
        return filter.createdBetween(begin, begin.plus(Duration.ofHours(1)));
    }

    private Instant time(Random random) {
        return from.plusMillis(random.nextLong(AdminTable.LASTING.toMillis()));
    }

    private static String key(Random random) {
        return AdminTable.key(random.nextInt(AdminTable.KEYS));
    }

    private void add(String name, Function<Random, EventFilter> filter) {
        reads.add(new Read(name, random -> readCall(filter.apply(random), null)));
    }

    private void addDeep(String name, EventFilter filter, java.util.function.Supplier<List<String>> cursors) {
        List<String> places = cursors.get();
        if (!places.isEmpty()) {
            reads.add(new Read(name, random -> readCall(filter, places.get(random.nextInt(places.size())))));
        }
    }

    /** At any time in the thirty days. */
    private List<String> cursorsOfIds() {
        Random random = new Random(1);
        List<String> cursors = new ArrayList<>();
        for (int n = 0; n < DEEP_PAGES; n++) {
            EventPage page = page(EventFilter.ALL.createdBetween(null, time(random)), null, 1);
            if (page.next() != null) {
                cursors.add(page.next());
            }
        }
        return cursors;
    }

    /** As far down as pages reach, but at most a hundred thousand events. */
    private List<String> cursors(EventFilter filter) {
        List<String> cursors = new ArrayList<>();
        @Nullable String after = null;
        for (int n = 0; n < DEEP_PAGES; n++) {
            after = page(filter, after, EventQuery.LIMIT_MAX).next();
            if (after == null) {
                break;
            }
            cursors.add(after);
        }
        return cursors;
    }

    private EventPage page(EventFilter filter, @Nullable String after, int limit) {
        return admin.run(new Request.Events(new EventQuery(filter, after, limit)));
    }

    private static ReadCall readCall(EventFilter filter, @Nullable String after) {
        StringBuilder path = new StringBuilder("events?limit=" + PAGE);
        append(
                path,
                "state",
                filter.state() == null ? null : filter.state().name().toLowerCase(Locale.ROOT));
        append(path, "type", filter.eventType());
        append(path, "key", filter.key());
        append(path, "aggregate", filter.aggregateId());
        append(path, "tenant", filter.tenantId());
        append(path, "error", filter.error());
        append(path, "from", filter.createdFrom());
        append(path, "before", filter.createdBefore());
        append(path, "after", after);
        EventQuery query = new EventQuery(filter, after, PAGE);
        return new ReadCall(admin -> admin.run(new Request.Events(query)), path.toString());
    }

    private static void append(StringBuilder path, String name, @Nullable Object value) {
        if (value != null) {
            path.append('&').append(name).append('=').append(encoded(value.toString()));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    // ---- one thing -----------------------------------------------------------------------------------------------

    private void addOne() {
        for (State state : State.values()) {
            List<EventSummary> some = new ArrayList<>(page(EventFilter.ALL.withState(state), null, EventQuery.LIMIT_MAX)
                    .events());
            reads.add(new Read(
                    "event, " + state.name().toLowerCase(Locale.ROOT),
                    random -> event(some.get(random.nextInt(some.size())).eventId())));
        }
        List<String> old = cursorsOfTimes();
        reads.add(new Read("event, anywhere", random -> event(old.get(random.nextInt(old.size())))));
        reads.add(new Read("key", random -> key(key(random))));
        List<EventSummary> pending = page(EventFilter.ALL.withState(State.PENDING), null, EventQuery.LIMIT_MAX)
                .events();
        reads.add(new Read(
                "key, with pending events",
                random -> key(String.valueOf(
                        pending.get(random.nextInt(pending.size())).key()))));
    }

    private List<String> cursorsOfTimes() {
        Random random = new Random(2);
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < DEEP_PAGES; n++) {
            page(EventFilter.ALL.createdBetween(null, time(random)), null, 1)
                    .events()
                    .forEach(event -> ids.add(event.eventId()));
        }
        return ids;
    }

    private static ReadCall event(String eventId) {
        return new ReadCall(admin -> admin.run(new Request.Event(eventId)), "event?id=" + encoded(eventId));
    }

    private static ReadCall key(String key) {
        return new ReadCall(admin -> admin.run(new Request.Key(key)), "key?key=" + encoded(key));
    }

    private void addAudit() {
        reads.add(new Read("audit", random -> audit(null)));
        List<AuditEntry> latest = admin.run(new Request.Audit(new AuditQuery(null, 1)));
        long last = latest.isEmpty() ? 1 : latest.get(0).id();
        reads.add(new Read("audit, deep page", random -> audit(1 + random.nextLong(last))));
    }

    private static ReadCall audit(@Nullable Long before) {
        AuditQuery query = new AuditQuery(before, PAGE);
        return new ReadCall(
                admin -> admin.run(new Request.Audit(query)),
                "audit?limit=" + PAGE + (before == null ? "" : "&before=" + before));
    }
}
