package catbox.server;

import catbox.server.config.ConfigFile;
import catbox.server.config.ConnectionCheck;
import catbox.server.config.ServerConfig;
import catbox.server.config.ServerConfigReader;
import catbox.server.config.WrongConfigException;
import catbox.server.web.ServerApplication;
import catbox.server.web.Signals;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.Security;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.server.PortInUseException;

/** The server's program. It exits with 1, before it starts anything, if its arguments or its file are wrong. */
public final class CatboxServer {

    private static final int WRONG = 1;
    private static final int UNREACHABLE = 2;

    private CatboxServer() {}

    /** Runs the program. A started server keeps running when this method returns. */
    public static void main(String[] arguments) {
        // First, because the first use of the JDK's logging determines its manager.
        System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
        // Clients log when they are opened, and the file has to configure logging before.
        LoggingSystem.get(CatboxServer.class.getClassLoader()).beforeInitialize();
        int status = run(arguments, System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        shortenNegativeDnsCache();
        CommandLine line;
        try {
            line = CommandLine.read(arguments, System::getenv);
        } catch (IllegalArgumentException e) {
            err.println("catbox-server: " + e.getMessage());
            return WRONG;
        }
        if (line.help()) {
            out.print(CommandLine.USAGE);
            return 0;
        }
        ServerConfigReader reader = new ServerConfigReader();
        try {
            ServerConfig config = reader.read(line.config());
            return line.check()
                    ? check(line.config(), config, out)
                    : serve(new ConfigFile(line.config(), reader, config));
        } catch (PortInUseException e) {
            err.println("catbox-server: port " + e.getPort() + " is taken; set another with server.port"
                    + ", or with server.liveness-port if it is that one");
            return WRONG;
        } catch (WrongConfigException e) {
            e.errors().forEach(error -> err.println("catbox-server: " + line.config() + ": " + error));
            return WRONG;
        }
    }

    // Before the first DNS query, which fixes the value for this process. By default the JVM caches an unknown name for
    // 10 s, and deliveries have to resume within 5 s after DNS is back.
    private static void shortenNegativeDnsCache() {
        Security.setProperty("networkaddress.cache.negative.ttl", "1");
    }

    private static int check(Path file, ServerConfig config, PrintStream out) {
        out.println(
                file + ": ok, node " + config.nodeId() + ", " + config.sources().size() + " sources, "
                        + config.routing().destinations().size() + " destinations");
        int failures = new ConnectionCheck(config, out).run();
        return failures == 0 ? 0 : UNREACHABLE;
    }

    private static int serve(ConfigFile file) {
        // Without this the JVM drains too, but exits with 143, which supervisors take for a failure.
        Signals.listen("TERM", () -> new Thread(() -> System.exit(0), "catbox-exit").start());
        ServerApplication.start(file);
        return 0;
    }
}
