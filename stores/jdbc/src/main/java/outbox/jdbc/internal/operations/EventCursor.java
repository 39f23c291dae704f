package outbox.jdbc.internal.operations;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.EventSummary;

/** Where a walk through the events has come to. To those who carry it from page to page it is a word without meaning. */
public sealed interface EventCursor {

    /** In the order of ids. */
    record ById(String eventId) implements EventCursor {
        @Override
        public String plain() {
            return "i " + eventId;
        }
    }

    /** In the order of the index of settled events; only done ones have a time of being done. */
    record Settled(@Nullable Instant doneAt, Instant createdAt, String eventId) implements EventCursor {
        @Override
        public String plain() {
            return "s " + (doneAt == null ? "-" : doneAt) + " " + createdAt + " " + eventId;
        }
    }

    /** In the order of coming due. */
    record Due(Instant availableAt, long seq) implements EventCursor {
        @Override
        public String plain() {
            return "d " + availableAt + " " + seq;
        }
    }

    /** In the order of a lane. */
    record Lane(long seq) implements EventCursor {
        @Override
        public String plain() {
            return "l " + seq;
        }
    }

    String plain();

    default String word() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain().getBytes(StandardCharsets.UTF_8));
    }

    static EventCursor ofSettled(EventSummary event) {
        return new Settled(event.state().doneAt(), event.state().createdAt(), event.eventId());
    }

    /**
     * Reads a word back.
     *
     * @throws IllegalArgumentException that names the word, when it is none of ours
     */
    static EventCursor of(String word) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(word), StandardCharsets.UTF_8);
            // An id may hold a space, so it is the last.
            Function<Integer, String[]> parts = count -> exactly(plain.split(" ", count), count);
            return switch (plain.isEmpty() ? ' ' : plain.charAt(0)) {
                case 'i' -> new ById(parts.apply(2)[1]);
                case 's' -> {
                    String[] part = parts.apply(4);
                    yield new Settled(
                            part[1].equals("-") ? null : Instant.parse(part[1]), Instant.parse(part[2]), part[3]);
                }
                case 'd' -> new Due(Instant.parse(parts.apply(3)[1]), Long.parseLong(parts.apply(3)[2]));
                case 'l' -> new Lane(Long.parseLong(parts.apply(2)[1]));
                default -> throw new IllegalArgumentException("is of no known kind");
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" is no place to go on from; give the next of the page before, or nothing", e);
        }
    }

    private static String[] exactly(String[] parts, int count) {
        if (parts.length != count || parts[0].length() != 1) {
            throw new IllegalArgumentException("has " + parts.length + " parts instead of " + count);
        }
        return parts;
    }
}
