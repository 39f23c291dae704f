package outbox.internal;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a walk through stored events has stopped. Callers carry it from page to page as a word without meaning to them. */
public sealed interface EventCursor {

    /** In the order of ids. */
    record ById(String eventId) implements EventCursor {}

    /** Among settled events in the order of their creation, behind the time of being done where that comes first. */
    record Settled(@Nullable Instant doneAt, Instant createdAt, String eventId) implements EventCursor {}

    /**
     * Among done events in the order of being done.
     *
     * @param eventId null behind all that were done at this time
     */
    record Done(Instant doneAt, @Nullable String eventId) implements EventCursor {}

    /** In the order of coming due. */
    record Due(Instant availableAt, long seq) implements EventCursor {}

    /** In the order of insertion. */
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

    /** This place as one of the kind that a walk has; refuses a place of another search. */
    default <C extends EventCursor> C as(Class<C> kind) {
        if (!kind.isInstance(this)) {
            throw ofAnotherSearch();
        }
        return kind.cast(this);
    }

    default IllegalArgumentException ofAnotherSearch() {
        return new IllegalArgumentException(
                "\"" + text() + "\" is a place in another search; begin this one without it");
    }

    /** The word of a place, or null at the end of a walk. */
    static @Nullable String textOf(@Nullable EventCursor place) {
        return place == null ? null : place.text();
    }

    /** The place of a word, or null before the first event. */
    static @Nullable EventCursor ofNullable(@Nullable String word) {
        return word == null ? null : of(word);
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
