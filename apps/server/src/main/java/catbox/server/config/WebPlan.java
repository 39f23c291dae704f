package catbox.server.config;

import java.util.Map;
import outbox.spi.Settings;

/**
 * The interface and the ports on which the server listens.
 *
 * @param address of the interface; loopback unless set, because health and metrics need no login
 * @param port 0 for any that is free
 * @param livenessPort for liveness only, with its own threads; 0 for any that is free
 * @param reloadOnChange whether the file is read again when its content has changed
 */
public record WebPlan(String address, int port, int livenessPort, boolean reloadOnChange) {

    static final String ADDRESS_DEFAULT = "127.0.0.1";
    static final int PORT_DEFAULT = 8081;
    private static final int PORT_MAX = 65_535;
    /** From the port to the liveness port, so that further servers on the same machine can have the next ports. */
    private static final int LIVENESS_DISTANCE = 10;

    static WebPlan read(Settings settings) {
        settings.refuseFormerNames(Map.of("watch", "reload-on-change"));
        int port = settings.number("port", PORT_DEFAULT, 0, PORT_MAX);
        WebPlan plan = new WebPlan(
                settings.text("address").orElse(ADDRESS_DEFAULT),
                port,
                settings.number("liveness-port", livenessPort(port), 0, PORT_MAX),
                settings.flag("reload-on-change", false));
        settings.requireAllKnown();
        if (port != 0 && plan.livenessPort() == port) {
            throw settings.wrong("liveness-port", "must be another than port, was " + port);
        }
        return plan;
    }

    private static int livenessPort(int port) {
        if (port == 0) {
            return 0;
        }
        return port + (port + LIVENESS_DISTANCE <= PORT_MAX ? LIVENESS_DISTANCE : -LIVENESS_DISTANCE);
    }
}
