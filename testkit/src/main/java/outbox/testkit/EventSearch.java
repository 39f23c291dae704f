package outbox.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventRange;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.Selection;

/** Finds events for an operator, in memory, and gives up a look after so many rows as a database has to. */
record EventSearch(Table table, int rowsPerReadMax) {

    private static final Comparator<Row> LONGEST_WAITING_FIRST = Comparator.comparingLong(Row::seq);
    private static final Comparator<Row> OLDEST_FIRST = Comparator.comparing(Row::id);

    static BoundedCount bounded(long all, int limit) {
        return new BoundedCount(Math.min(all, limit), all > limit);
    }

    EventPage events(EventQuery query) {
        boolean pending = isPending(query.filter());
        String after = query.after();
        Read look = new Read(query.limit());
        table.committed().stream()
                .filter(row -> hasState(query.filter().state(), row))
                .filter(row -> after == null || isBehind(after, row, pending))
                .sorted(pending ? LONGEST_WAITING_FIRST : OLDEST_FIRST.reversed())
                .takeWhile(row -> look.goesOn())
                .forEach(row -> look.at(row, matches(query.filter(), row)));
        List<EventSummary> found = look.found.stream().map(Row::summary).toList();
        return new EventPage(found, look.next(pending), look.isCut());
    }

    EventRange range(EventFilter filter, @Nullable String after, int limit) {
        Read look = new Read(limit);
        table.committed().stream()
                .filter(row -> row.state().status() == EventStatus.DONE)
                .filter(row -> after == null || row.id().compareTo(after) > 0)
                .sorted(OLDEST_FIRST)
                .takeWhile(row -> look.goesOn())
                .forEach(row -> look.at(row, matches(filter, row)));
        List<OutboxEvent> found = look.found.stream().map(Row::read).toList();
        return new EventRange(found, look.next(false));
    }

    /** The settled events that are meant. */
    Stream<Row> settled(Selection selection) {
        return all(selection).filter(row -> !row.isPending() && matches(selection, row));
    }

    /**
     * What an act looks at, and those of it that are to be changed.
     *
     * @param next the id of the last that was looked at; null when that was the last of all
     */
    record Chosen(List<Row> rows, @Nullable String next) {}

    /** The next settled events that are meant, oldest first. */
    Chosen chosen(Selection selection, @Nullable String after, int max, Predicate<Row> wanted) {
        Read look = new Read(max);
        all(selection)
                .filter(row -> after == null || row.id().compareTo(after) > 0)
                .sorted(OLDEST_FIRST)
                .takeWhile(row -> look.goesOn())
                .forEach(row -> look.at(row, !row.isPending() && matches(selection, row) && wanted.test(row)));
        return new Chosen(List.copyOf(look.found), look.next(false));
    }

    private Stream<Row> all(Selection selection) {
        return switch (selection) {
            case Selection.Ids ids -> ids.eventIds().stream().map(table::find).filter(Objects::nonNull);
            case Selection.Matching matching -> table.committed().stream();
        };
    }

    private static boolean matches(Selection selection, Row row) {
        return switch (selection) {
            case Selection.Ids ids -> true;
            case Selection.Matching matching -> matches(matching.filter(), row);
        };
    }

    private static boolean isPending(EventFilter filter) {
        return filter.state() == State.PENDING || filter.state() == State.RETRY;
    }

    private static boolean isBehind(String after, Row row, boolean pending) {
        return pending ? row.seq() > Long.parseLong(after) : row.id().compareTo(after) < 0;
    }

    private static boolean matches(EventFilter filter, Row row) {
        OutboxEvent event = row.event();
        return hasState(filter.state(), row)
                && isOrAny(filter.eventType(), event.eventType())
                && isOrAny(filter.key(), event.orderingKey())
                && isOrAny(filter.aggregateId(), event.aggregateId())
                && isOrAny(filter.tenantId(), event.tenantId())
                && (filter.error() == null || fits(filter.error(), event.state().lastError()))
                && (filter.createdFrom() == null || !event.createdAt().isBefore(filter.createdFrom()))
                && (filter.createdBefore() == null || event.createdAt().isBefore(filter.createdBefore()));
    }

    private static boolean hasState(@Nullable State state, Row row) {
        EventStatus status = row.state().status();
        return state == null
                || switch (state) {
                    case PENDING -> row.isPending();
                    case RETRY -> status == EventStatus.RETRY;
                    case DONE -> status == EventStatus.DONE;
                    case DEAD -> status == EventStatus.DEAD;
                };
    }

    private static boolean isOrAny(@Nullable String wanted, @Nullable String value) {
        return wanted == null || wanted.equals(value);
    }

    private static boolean fits(String pattern, @Nullable String error) {
        String regex = Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.DOTALL)
                .matcher(error == null ? "" : error)
                .matches();
    }

    /** One look, which ends with a full page, or when it has cost enough, or with the last row. */
    private final class Read {

        private final int limit;
        private final List<Row> found = new ArrayList<>();
        private @Nullable Row last;
        private int rows;
        private boolean ended;

        Read(int limit) {
            this.limit = limit;
        }

        /** Asked of every row before it is looked at, so one is left over when it says no. */
        boolean goesOn() {
            ended = found.size() == limit || rows == rowsPerReadMax;
            return !ended;
        }

        void at(Row row, boolean matches) {
            rows++;
            last = row;
            if (matches) {
                found.add(row);
            }
        }

        boolean isCut() {
            return ended && found.size() < limit;
        }

        @Nullable
        String next(boolean pending) {
            if (!ended || last == null) {
                return null;
            }
            return pending ? Long.toString(last.seq()) : last.id();
        }
    }
}
