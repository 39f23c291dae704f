package catbox.server.config;

import java.util.Optional;
import outbox.util.Settings;

/**
 * Where the server can be asked.
 *
 * @param address of the interface; loopback unless set, because health and metrics are for everybody who gets there
 * @param port 0 for any that is free
 * @param livenessPort of liveness alone, which then has threads of its own; empty for none, since two servers on one machine
 *     would want the same
 * @param watch whether a changed file is read by itself
 */
public record WebPlan(String address, int port, Optional<Integer> livenessPort, boolean watch) {

    static final String ADDRESS_DEFAULT = "127.0.0.1";
    static final int PORT_DEFAULT = 8081;
    private static final int PORT_MAX = 65_535;

    static WebPlan read(Settings settings) {
        WebPlan plan = new WebPlan(
                settings.text("address").orElse(ADDRESS_DEFAULT),
                settings.number("port", PORT_DEFAULT, 0, PORT_MAX),
                settings.text("liveness-port").map(given -> settings.number("liveness-port", 1, 1, PORT_MAX)),
                settings.flag("watch", false));
        settings.requireAllKnown();
        if (plan.livenessPort().filter(own -> own == plan.port()).isPresent()) {
            throw settings.wrong("liveness-port", "must be another than port, was " + plan.port());
        }
        return plan;
    }
}
