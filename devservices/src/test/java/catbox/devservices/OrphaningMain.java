package catbox.devservices;

import java.io.IOException;

/** A JVM for the watchdog's test: starts a server, says where, and waits to be killed. */
final class OrphaningMain {

    private OrphaningMain() {}

    @SuppressWarnings("resource") // Not closing the server is what it is for.
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
