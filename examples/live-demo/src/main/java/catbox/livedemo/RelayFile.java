package catbox.livedemo;

/** The file of the demo's catbox server. Order changes go to Kafka and to the warehouse, which rejects some of them. */
final class RelayFile {

    static final String ORDERS = "orders";
    static final String COUPONS = "coupons";

    private RelayFile() {}

    /**
     * The values in the file.
     *
     * @param warehouseUrl where order changes are sent
     * @param login of the console
     */
    record Parts(String databaseUrl, String user, String bootstrapServers, String warehouseUrl, Login login) {}

    static String text(Parts parts, int port) {
        return """
                server:
                  port: %d
                  liveness-port: 0
                node:
                  id: demo-relay
                  # Shorter than by default, so that deliveries resume soon after a kill.
                  heartbeat: 500ms
                  node-timeout: 4s
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
                    breaker-open-time-max: 2s
                  warehouse:
                    kind: http
                    mode: single
                    base-url: %s
                    final-statuses: 422
                    allow-private-addresses: true
                routes:
                  - name: changed-orders
                    match:
                      event-type: OrderUpdated
                    to: [kafka/%s, warehouse]
                  - name: orders
                    match:
                      aggregate-type: ORDER
                    to: kafka/%s
                  - name: coupons
                    match:
                      aggregate-type: COUPON
                    to: kafka/%s
                access:
                  users:
                    - name: %s
                      password: "%s"
                      role: admin
                      payload-read: true
                """.formatted(
                        port,
                        parts.databaseUrl(),
                        parts.user(),
                        parts.bootstrapServers(),
                        parts.warehouseUrl(),
                        ORDERS,
                        ORDERS,
                        COUPONS,
                        Login.USER,
                        parts.login().hash());
    }
}
