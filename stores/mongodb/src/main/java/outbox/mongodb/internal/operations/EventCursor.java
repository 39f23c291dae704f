package outbox.mongodb.internal.operations;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Where a walk through the events has come to. To those who carry it from page to page it is a word without meaning. */
sealed interface EventCursor {

    /** In the order of ids. */
    record ById(String eventId) implements EventCursor {
        @Override
        public String plain() {
            return "i " + eventId;
        }
    }

    /** In the order of the index of dead events. */
    record Dead(Instant createdAt, String eventId) implements EventCursor {
        @Override
        public String plain() {
            return "f " + createdAt.toEpochMilli() + " " + eventId;
        }
    }

    /**
     * Among done events.
     *
     * @param eventId null behind all that were done at this time
     */
    record Done(Instant doneAt, @Nullable String eventId) implements EventCursor {
        @Override
        public String plain() {
            return "c " + doneAt.toEpochMilli() + (eventId == null ? "" : " " + eventId);
        }
    }

    /** In the order of insertion. */
    record Place(long seq) implements EventCursor {
        @Override
        public String plain() {
            return "p " + seq;
        }
    }

    String plain();

    default String word() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain().getBytes(StandardCharsets.UTF_8));
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
            String[] parts = plain.split(" ", plain.startsWith("i ") || plain.startsWith("p ") ? 2 : 3);
            return switch (parts[0] + parts.length) {
                case "i2" -> new ById(parts[1]);
                case "p2" -> new Place(Long.parseLong(parts[1]));
                case "f3" -> new Dead(time(parts[1]), parts[2]);
                case "c2" -> new Done(time(parts[1]), null);
                case "c3" -> new Done(time(parts[1]), parts[2]);
                default -> throw new IllegalArgumentException("is of no known kind");
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" is no place to go on from; give the next of the page before, or nothing", e);
        }
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }
}
