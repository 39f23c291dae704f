package catbox.devservices;

import java.util.List;
import java.util.Map;

/**
 * Starts programs of one's own that answer HTTP, such as a service under test: they are killed and started again as the
 * servers here are, and like them outlive nobody.
 */
public final class ProgramServer {

    private static final Signals SIGNALS = new Signals("TERM", "KILL");

    private ProgramServer() {}

    /**
     * Starts a program, and returns when it is ready; close it.
     *
     * @param command the program and its arguments, with absolute paths: it runs in a temporary folder of its own
     * @param files to be put into that folder before, by their names
     * @param port where it will answer, on 127.0.0.1
     * @param path that answers 200 when the program is ready, such as {@code /health}
     * @throws DevServerException if the port is taken, or if the program ends, or is not ready within two minutes; then
     *     the message ends with its log
     */
    public static DevServer start(String name, List<String> command, Map<String, String> files, int port, String path) {
        Platform.current().requireSupported();
        if (!FreePort.isFree(port)) {
            // Somebody else would answer in its place, and nobody would notice.
            throw new DevServerException("Port " + port + " of " + name + " is taken");
        }
        Blueprint blueprint = new Blueprint(
                name, port, new Probe(port, new HttpGreeting(path)), command, Map.of("LC_ALL", "C.UTF-8"));
        return ChildServer.launch("program", SIGNALS, folder -> {
            files.forEach(folder::write);
            return new ChildServer(blueprint, folder);
        });
    }

    /** A port that is free on 127.0.0.1, and that no other is likely to choose at the same time. */
    public static int freePort() {
        return FreePort.find();
    }

    /** The preferred port if it is free on 127.0.0.1, and otherwise one that is. */
    public static int freePort(int preferred) {
        return FreePort.isFree(preferred) ? preferred : FreePort.find();
    }
}
