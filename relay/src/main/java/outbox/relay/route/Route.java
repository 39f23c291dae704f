package outbox.relay.route;

import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.spi.Acknowledgement;

/**
 * A rule that sends events to one destination. Routes that compete for the same resources share them by weight.
 *
 * @param name of the rule that it comes from; those of one rule that leads to several destinations share it
 * @param weight how much of what is scarce it is to get, next to the others; default 1
 * @param address where within the destination; null: as the destination itself is set
 * @param dropReason why events that take it are not delivered at all; null where they are
 */
public record Route(
        String name,
        String destination,
        int weight,
        @Nullable Template address,
        @Nullable String dropReason) {

    public static final int WEIGHT_MAX = 1_000;

    /** The destination that leads nowhere: an event that goes there is done without being delivered. */
    public static final String DROP = "drop";

    public Route {
        if (name.isBlank() || destination.isBlank()) {
            throw new IllegalArgumentException(
                    "a route needs a name and a destination, were \"" + name + "\" and \"" + destination + "\"");
        }
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "weight of route " + name + " must be from 1 to " + WEIGHT_MAX + ", was " + weight);
        }
        if (targetOf(destination, address).length() > Acknowledgement.TARGET_CHARS_MAX) {
            throw new IllegalArgumentException("route " + name + ": the names of destination and address together must"
                    + " have at most " + (Acknowledgement.TARGET_CHARS_MAX - 1) + " characters");
        }
    }

    public Route(String name, String destination, int weight) {
        this(name, destination, weight, null, null);
    }

    public Route(String name, String destination, int weight, @Nullable Template address) {
        this(name, destination, weight, address, null);
    }

    /** Leads nowhere, for a reason. */
    public static Route drop(String name, String reason) {
        return new Route(name, DROP, 1, null, reason);
    }

    /** Leads nowhere, because every destination of this route has acknowledged the event already. */
    public Route nothingLeft() {
        return new Route(name, DROP, weight);
    }

    public static Route to(String destination) {
        return new Route(destination, destination, 1);
    }

    public Route withWeight(int newWeight) {
        return new Route(name, destination, newWeight, address, dropReason);
    }

    /** Identifies a destination among those of one rule; remembered when that destination has acknowledged. */
    public String target() {
        return targetOf(destination, address);
    }

    private static String targetOf(String destination, @Nullable Template address) {
        return address == null ? destination : destination + "/" + address;
    }

    boolean drops() {
        return destination.equals(DROP);
    }

    /** What its lanes queue under: two routes of one rule lead to two destinations. */
    public String id() {
        return name + " to " + target();
    }
}
