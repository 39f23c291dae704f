package catbox.bench.contender;

import java.util.Map;

/**
 * Describes the events to write: how many, over how many keys, the percentage of a single hot key, and their size in
 * bytes.
 *
 * @param firstNumber the number of the first; the consumer distinguishes runs by it
 */
public record EventPlan(long firstNumber, int events, int keys, int hotPercent, int bytes) {

    public EventPlan {
        if (events < 0 || keys < 1 || hotPercent < 0 || hotPercent > 100 || bytes < 0) {
            throw new IllegalArgumentException("no such events: " + events + " over " + keys + " keys, " + hotPercent
                    + " % of one, " + bytes + " bytes each; allowed are 0 or more over 1 or more, 0 to 100 %");
        }
    }

    static EventPlan of(Map<String, String> words) {
        return new EventPlan(
                Long.parseLong(words.getOrDefault("first", "0")),
                Integer.parseInt(words.getOrDefault("events", "0")),
                Integer.parseInt(words.getOrDefault("keys", "1000")),
                Integer.parseInt(words.getOrDefault("hot", "0")),
                Integer.parseInt(words.getOrDefault("bytes", "500")));
    }

    /** Returns the arguments that {@link #of} parses. */
    public String words() {
        return "first=" + firstNumber + " events=" + events + " keys=" + keys + " hot=" + hotPercent + " bytes="
                + bytes;
    }

    /** Returns the event at a position, from 0 on. Keys alternate. */
    public Event at(long place) {
        boolean hot = place % 100 < hotPercent;
        return Event.of(firstNumber + place, hot ? "key-hot" : "key-" + place % keys, bytes);
    }
}
