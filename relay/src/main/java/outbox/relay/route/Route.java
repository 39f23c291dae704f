package outbox.relay.route;

import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.spi.Acknowledgement;

/**
 * Leads events to one destination. Routes share scarce resources by weight.
 *
 * @param name the name of its rule; the routes of a rule with several destinations share it
 * @param weight its share of scarce resources, relative to the others; default 1
 * @param address the address in the destination; null: the destination's own setting
 * @param dropReason why events on it are not delivered; null when they are
 */
public record Route(
        String name,
        String destination,
        int weight,
        @Nullable Template address,
        @Nullable String dropReason) {

    public static final int WEIGHT_MAX = 1_000;

    /** The name for no destination: an event on such a route is done without being delivered. */
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

    /** A route that drops its events, for a reason. */
    public static Route drop(String name, String reason) {
        return new Route(name, DROP, 1, null, reason);
    }

    /** A route for events that every destination has acknowledged already. */
    public Route nothingLeft() {
        return new Route(name, DROP, weight);
    }

    public static Route to(String destination) {
        return new Route(destination, destination, 1);
    }

    public Route withWeight(int newWeight) {
        return new Route(name, destination, newWeight, address, dropReason);
    }

    /** Identifies a destination of a rule, also in its acknowledgements. */
    public String target() {
        return targetOf(destination, address);
    }

    private static String targetOf(String destination, @Nullable Template address) {
        return address == null ? destination : destination + "/" + address;
    }

    boolean drops() {
        return destination.equals(DROP);
    }

    /** Identifies the route for its lanes: two routes of one rule lead to two destinations. */
    public String id() {
        return name + " to " + target();
    }
}
