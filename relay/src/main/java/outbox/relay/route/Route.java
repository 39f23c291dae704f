package outbox.relay.route;

/**
 * A way for events to a destination. Routes that compete for the same resources share them by weight.
 *
 * @param weight how much of what is scarce it is to get, next to the others; default 1
 */
public record Route(String name, String destination, int weight) {

    public static final int WEIGHT_MAX = 1_000;

    public Route {
        if (name.isBlank() || destination.isBlank()) {
            throw new IllegalArgumentException(
                    "a route needs a name and a destination, were \"" + name + "\" and \"" + destination + "\"");
        }
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "weight of route " + name + " must be from 1 to " + WEIGHT_MAX + ", was " + weight);
        }
    }

    public static Route to(String destination) {
        return new Route(destination, destination, 1);
    }

    public Route withWeight(int newWeight) {
        return new Route(name, destination, newWeight);
    }
}
