package catbox.server.config;

import outbox.util.Settings;

/**
 * Where the server can be asked.
 *
 * @param address of the interface; loopback unless set, because health and metrics are for everybody who gets there
 * @param port 0 for any that is free
 * @param watch whether a changed file is read by itself
 */
public record WebPlan(String address, int port, boolean watch) {

    static final String ADDRESS_DEFAULT = "127.0.0.1";
    static final int PORT_DEFAULT = 8081;

    static WebPlan read(Settings settings) {
        WebPlan plan = new WebPlan(
                settings.text("address").orElse(ADDRESS_DEFAULT),
                settings.number("port", PORT_DEFAULT, 0, 65_535),
                settings.flag("watch", false));
        settings.requireAllKnown();
        return plan;
    }
}
