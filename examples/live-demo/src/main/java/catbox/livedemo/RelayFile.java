package catbox.livedemo;

/** The file of the demo's catbox server. */
final class RelayFile {

    static final String ORDERS = "orders";
    static final String COUPONS = "coupons";

    private RelayFile() {}

    static String text(String databaseUrl, String user, String bootstrapServers, int port) {
        return """
                server:
                  port: %d
                node:
                  id: demo-relay
                  # Shorter than by default, so that nobody has to wait long after a kill.
                  heartbeat: 500ms
                  timeout: 4s
                sources:
                  shop:
                    url: "%s"
                    user: %s
                    schema: install
                    retry-max-delay: 2s
                destinations:
                  kafka:
                    kind: kafka
                    bootstrap-servers: %s
                    breaker-rest-max: 2s
                routes:
                  - name: orders
                    match:
                      aggregate-type: ORDER
                    to: kafka/%s
                  - name: coupons
                    match:
                      aggregate-type: COUPON
                    to: kafka/%s
                """.formatted(port, databaseUrl, user, bootstrapServers, ORDERS, COUPONS);
    }
}
