package catbox.devservices;

/**
 * The ports of a Kafka server.
 *
 * @param clients for clients, secured if the server is
 * @param internal for the broker to itself and for the probe, never secured
 * @param controller for the broker to the controller
 */
record KafkaPorts(int clients, int internal, int controller) {

    static KafkaPorts find() {
        int clients = FreePort.find();
        int internal = other(clients, clients);
        return new KafkaPorts(clients, internal, other(clients, internal));
    }

    private static int other(int first, int second) {
        int port = FreePort.find();
        while (port == first || port == second) {
            port = FreePort.find();
        }
        return port;
    }
}
