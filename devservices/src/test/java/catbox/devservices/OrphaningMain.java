package catbox.devservices;

import java.io.IOException;

/** A JVM for the watchdog's test: starts a server, prints its location, and waits to be killed. */
final class OrphaningMain {

    private OrphaningMain() {}

    @SuppressWarnings("resource") // The server stays open on purpose.
    public static void main(String[] arguments) throws IOException {
        DatabaseServer server = PostgresServer.start();
        if (arguments[0].equals("restarted-and-frozen")) {
            server.kill();
            server.start();
            server.pause();
        }
        System.out.println(server.port());
        System.in.read();
    }
}
