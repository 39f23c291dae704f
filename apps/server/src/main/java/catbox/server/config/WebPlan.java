package catbox.server.config;

import java.util.Map;
import outbox.spi.Settings;

/**
 * Where the server can be asked.
 *
 * @param address of the interface; loopback unless set, because health and metrics are for everybody who gets there
 * @param port 0 for any that is free
 * @param livenessPort of liveness alone, which has threads of its own there; 0 for any that is free
 * @param reloadOnChange whether the file is read again when its content has changed
 */
public record WebPlan(String address, int port, int livenessPort, boolean reloadOnChange) {

    static final String ADDRESS_DEFAULT = "127.0.0.1";
    static final int PORT_DEFAULT = 8081;
    private static final int PORT_MAX = 65_535;
    /** From the port to that of liveness, so that neighbours are left to further servers on the same machine. */
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
