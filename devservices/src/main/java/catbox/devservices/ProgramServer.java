package catbox.devservices;

import java.util.List;
import java.util.Map;

/**
 * Starts other programs that answer HTTP, such as a service under test. They are killed and restarted like the servers
 * here, and end with this JVM.
 */
public final class ProgramServer {

    private static final Signals SIGNALS = new Signals("TERM", "KILL");

    private ProgramServer() {}

    /**
     * Starts a program, and returns when it is ready; the caller closes it.
     *
     * @param command the program and its arguments, with absolute paths: it runs in a temporary folder
     * @param files to be written into that folder first, by their names
     * @param port on which it will answer, on 127.0.0.1
     * @param path that returns 200 when the program is ready, such as {@code /health}
     * @throws DevServerException if the port is taken, or if the program ends, or is not ready within two minutes; then
     * the message ends with its log
     */
    public static DevServer start(String name, List<String> command, Map<String, String> files, int port, String path) {
        Platform.current().requireSupported();
        if (!FreePort.isFree(port)) {
            // Otherwise another program would answer in its place unnoticed.
            throw new DevServerException("Port " + port + " of " + name + " is taken");
        }
        Blueprint blueprint = new Blueprint(
                name, port, new Probe(port, new HttpGreeting(path)), command, Map.of("LC_ALL", "C.UTF-8"));
        return ChildServer.launch("program", SIGNALS, folder -> {
            files.forEach(folder::write);
            return new ChildServer(blueprint, folder);
        });
    }

    /** Returns a port that is free on 127.0.0.1, and that no other caller is likely to choose at the same time. */
    public static int freePort() {
        return FreePort.find();
    }

    /** Returns the preferred port if it is free on 127.0.0.1, and otherwise another free one. */
    public static int freePort(int preferred) {
        return FreePort.isFree(preferred) ? preferred : FreePort.find();
    }
}
