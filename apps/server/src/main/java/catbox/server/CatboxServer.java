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

/** The program. It ends with 1 when it was called or configured wrongly, before anything is started. */
public final class CatboxServer {

    private static final int WRONG = 1;
    private static final int UNREACHABLE = 2;

    private CatboxServer() {}

    /** Runs it; a server that has started goes on after this. */
    public static void main(String[] arguments) {
        // Before anything else: whatever touches the JDK's logging settles which manager it has.
        System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
        // Says nothing until the file has told how: clients log when they are opened.
        LoggingSystem.get(CatboxServer.class.getClassLoader()).beforeInitialize();
        int status = run(arguments, System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        forgetFailedLookUpsSoon();
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

    // Before the first look-up, which settles it for this process. The JVM remembers for 10 s that a name is not known,
    // and events are to flow again within 5 s after DNS is back.
    private static void forgetFailedLookUpsSoon() {
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
        // Left to itself the JVM would drain as well, but end with 143 as if something had gone wrong.
        Signals.listen("TERM", () -> new Thread(() -> System.exit(0), "catbox-exit").start());
        ServerApplication.start(file);
        return 0;
    }
}
