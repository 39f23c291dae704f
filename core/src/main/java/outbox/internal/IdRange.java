package outbox.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.EventFilter;

/**
 * A range of event ids.
 *
 * @param from inclusive; null: from the first
 * @param before exclusive; null: to the last
 */
public record IdRange(@Nullable String from, @Nullable String before) {

    public static final IdRange ALL = new IdRange(null, null);

    /** Older than the library, so no ULID that it created sorts before this time. */
    private static final Instant FIRST_ULID = Instant.parse("2020-01-01T00:00:00Z");

    /**
     * How far the time in an id may differ from the time at which its event was created.
     *
     * @param ahead when the publisher's clock was ahead of the database's
     * @param behind when it was behind, or when the id was created some time before it was stored
     */
    public record Margin(Duration ahead, Duration behind) {

        /** Small, because every second of it is searched in vain. */
        public static final Margin OF_A_CHECK = new Margin(Duration.ofSeconds(10), Duration.ofMinutes(1));

        public static final Margin OF_AN_ACT = new Margin(Duration.ofHours(1), Duration.ofHours(1));
    }

    /**
     * The id ranges of the events that a filter's times allow, in the order of a scan.
     *
     * @param now reads the database's clock, where a time is given
     */
    public static List<IdRange> of(EventFilter filter, Supplier<Instant> now, Margin margin, boolean latestFirst) {
        List<IdRange> ranges = filter.spansAnyTime()
                ? List.of(ALL)
                : createdIn(filter.createdFrom(), filter.createdBefore(), now.get(), margin);
        return latestFirst ? ranges.reversed() : ranges;
    }

    /**
     * The id ranges, in ascending order, of the events created in a time span. Most ids are ULIDs and contain their
     * time. Ids that an application chose do not, so the ranges before and behind all possible ULIDs are always
     * included. They are empty where all ids are ULIDs.
     *
     * @param now by the database's clock
     */
    public static List<IdRange> createdIn(
            @Nullable Instant createdFrom, @Nullable Instant createdBefore, Instant now, Margin margin) {
        String first = Ulids.firstOf(FIRST_ULID);
        String last = Ulids.firstOf(now.plus(Duration.ofDays(1)));
        List<IdRange> ranges = new ArrayList<>();
        if (createdFrom != null) {
            ranges.add(new IdRange(null, first));
        }
        ranges.add(new IdRange(
                createdFrom == null ? null : later(first, Ulids.firstOf(createdFrom.minus(margin.behind()))),
                createdBefore == null ? null : earlier(last, Ulids.firstOf(createdBefore.plus(margin.ahead())))));
        if (createdBefore != null) {
            ranges.add(new IdRange(last, null));
        }
        return ranges;
    }

    private static String later(String one, String other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static String earlier(String one, String other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
