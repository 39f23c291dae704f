package outbox.internal;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The position of a scan of stored events. Callers pass it from page to page as an opaque text. */
public sealed interface EventCursor {

    /** A position in the order of ids. */
    record ById(String eventId) implements EventCursor {}

    /** A position among settled events in the order of their creation, or of being done and then of creation. */
    record Settled(@Nullable Instant doneAt, Instant createdAt, String eventId) implements EventCursor {}

    /**
     * A position among done events in the order of being done.
     *
     * @param eventId null: behind all events that were done at this time
     */
    record Done(Instant doneAt, @Nullable String eventId) implements EventCursor {}

    /** A position in the order of due times. */
    record Due(Instant availableAt, long seq) implements EventCursor {}

    /** A position in the order of insertion. */
    record Inserted(long seq) implements EventCursor {}

    default String text() {
        String plain = switch (this) {
            case ById at -> "i " + at.eventId();
            case Settled at ->
                "s " + (at.doneAt() == null ? "-" : at.doneAt()) + " " + at.createdAt() + " " + at.eventId();
            case Done at -> "c " + at.doneAt() + (at.eventId() == null ? "" : " " + at.eventId());
            case Due at -> "d " + at.availableAt() + " " + at.seq();
            case Inserted at -> "p " + at.seq();
        };
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    /** Casts this cursor to the kind that a scan uses; refuses a cursor of another search. */
    default <C extends EventCursor> C as(Class<C> kind) {
        if (!kind.isInstance(this)) {
            throw ofAnotherSearch();
        }
        return kind.cast(this);
    }

    default IllegalArgumentException ofAnotherSearch() {
        return new IllegalArgumentException(
                "\"" + text() + "\" is a cursor of another search; start this search without it");
    }

    /** The text of a cursor; null at the end of a scan. */
    static @Nullable String textOf(@Nullable EventCursor cursor) {
        return cursor == null ? null : cursor.text();
    }

    /** The cursor of a text; null before the first event. */
    static @Nullable EventCursor ofNullable(@Nullable String text) {
        return text == null ? null : of(text);
    }

    /**
     * Parses the text of a cursor.
     *
     * @throws IllegalArgumentException that names the text, when it is no cursor
     */
    static EventCursor of(String text) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            // An id may contain a space, so it comes last.
            Function<Integer, String[]> parts = count -> exactly(plain.split(" ", count), count);
            return switch (plain.isEmpty() ? ' ' : plain.charAt(0)) {
                case 'i' -> new ById(parts.apply(2)[1]);
                case 's' -> {
                    String[] part = parts.apply(4);
                    yield new Settled(
                            part[1].equals("-") ? null : Instant.parse(part[1]), Instant.parse(part[2]), part[3]);
                }
                case 'c' -> {
                    String[] part = parts.apply(plain.split(" ", 3).length < 3 ? 2 : 3);
                    yield new Done(Instant.parse(part[1]), part.length == 2 ? null : part[2]);
                }
                case 'd' -> new Due(Instant.parse(parts.apply(3)[1]), Long.parseLong(parts.apply(3)[2]));
                case 'p' -> new Inserted(Long.parseLong(parts.apply(2)[1]));
                default -> throw new IllegalArgumentException("is of no known kind");
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no cursor; give the next of the previous page, or nothing", e);
        }
    }

    private static String[] exactly(String[] parts, int count) {
        if (parts.length != count || parts[0].length() != 1) {
            throw new IllegalArgumentException("has " + parts.length + " parts instead of " + count);
        }
        return parts;
    }
}
