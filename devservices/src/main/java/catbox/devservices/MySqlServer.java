package catbox.devservices;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts MySQL servers with their durable settings at the safe defaults, where MySQL is available. Its binaries come
 * from Debian's unstable suite, so they need Debian's package tools and, the first time, a network. The version is the
 * suite's at the time of the first start; {@code select version()} returns it.
 */
public final class MySqlServer {

    private static final String DATABASE = "catbox";
    private static final Duration PREPARE_LIMIT = Duration.ofMinutes(2);

    private MySqlServer() {}

    /**
     * Returns why MySQL is not available, as a sentence for a skipped test; empty if it is. The very first call may
     * take a minute, because it downloads the binaries; within one JVM the answer stays the same.
     */
    public static Optional<String> unavailableReason() {
        return MySqlBinaries.provided().unavailableReason();
    }

    /** Starts a separate server; the caller closes it. */
    public static DatabaseServer start() {
        return start(Map.of());
    }

    /**
     * Starts a separate server with further settings, as in the {@code [mysqld]} group of {@code my.cnf}; the caller
     * closes it.
     *
     * @throws DevServerException if MySQL is not available here or the server does not start
     */
    public static DatabaseServer start(Map<String, String> settings) {
        Settings further = new Settings(settings);
        Path binaries = MySqlBinaries.provided().require();
        return ChildServer.launch("mysql", DatabaseEngine.MYSQL.signals(), folder -> {
            Path sql = folder.write("initialise.sql", "CREATE DATABASE " + DATABASE + ";\n");
            folder.run(initialise(binaries, folder, sql), PREPARE_LIMIT);
            int port = FreePort.find();
            Blueprint blueprint = new Blueprint(
                    "MySQL", port, new Probe(port, DatabaseEngine.MYSQL), serve(binaries, folder, port, further));
            return new ChildDatabase(
                    blueprint, folder, DatabaseEngine.MYSQL, new ChildDatabase.Login("mysql", "root", DATABASE));
        });
    }

    private static List<String> initialise(Path binaries, ServerFolder folder, Path sql) {
        List<String> command = program(binaries, folder);
        command.addAll(List.of("--initialize-insecure", "--init-file=" + sql));
        return command;
    }

    private static List<String> serve(Path binaries, ServerFolder folder, int port, Settings further) {
        List<String> command = program(binaries, folder);
        command.addAll(List.of(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + folder.socket(),
                "--pid-file=" + folder.temporary().resolve("pid"),
                "--innodb-buffer-pool-size=64M",
                "--mysqlx=OFF",
                // Without TLS the plain JDBC URL connects in a millisecond.
                "--tls-version="));
        command.addAll(further.arguments("--"));
        return command;
    }

    /**
     * The suite's own loader and libraries run it, because it is built for a newer C library than this machine may
     * have.
     */
    private static List<String> program(Path root, ServerFolder folder) {
        Path share = root.resolve("usr/share/mysql");
        List<String> command = new ArrayList<>(List.of(
                root.resolve("usr/lib64/ld-linux-x86-64.so.2").toString(),
                "--library-path",
                root.resolve("usr/lib/x86_64-linux-gnu").toString(),
                root.resolve("usr/sbin/mysqld").toString(),
                "--no-defaults",
                "--basedir=" + root.resolve("usr"),
                "--lc-messages-dir=" + share,
                "--character-sets-dir=" + share.resolve("charsets"),
                "--plugin-dir=" + root.resolve("usr/lib/mysql/plugin"),
                "--secure-file-priv=NULL",
                "--datadir=" + folder.data(),
                "--tmpdir=" + folder.temporary()));
        if (Platform.isRoot()) {
            // It runs as root only with this option.
            command.add("--user=root");
        }
        return command;
    }
}
