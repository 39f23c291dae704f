package catbox.devservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts MariaDB servers with their durable settings at the safe defaults, and UTF-8 as the character set. */
public final class MariaDbServer {

    private static final String DATABASE = "catbox";
    private static final Duration PREPARE_LIMIT = Duration.ofMinutes(1);

    /** The scripts that mariadb-install-db runs, without the help texts. */
    private static final List<String> SYSTEM_TABLES = List.of(
            "mariadb_system_tables.sql",
            "mariadb_performance_tables.sql",
            "mariadb_system_tables_data.sql",
            "maria_add_gis_sp_bootstrap.sql",
            "mariadb_sys_schema.sql");

    private MariaDbServer() {}

    /** Starts a separate server; the caller closes it. */
    public static DatabaseServer start() {
        return start(Map.of());
    }

    /**
     * Starts a separate server with further settings, as in the {@code [mariadbd]} group of {@code my.cnf}; the caller
     * closes it.
     *
     * @throws DevServerException if the platform is not supported or the server does not start
     */
    public static DatabaseServer start(Map<String, String> settings) {
        Platform.current().requireSupported();
        Settings further = new Settings(settings);
        Path binaries = MariaDbBinaries.unpacked(BinaryCache.standard());
        return ChildServer.launch("mariadb", DatabaseEngine.MYSQL.signals(), folder -> {
            Path sql = folder.write("bootstrap.sql", bootstrapSql(binaries));
            folder.run(bootstrap(binaries, folder), sql, PREPARE_LIMIT);
            int port = FreePort.find();
            Blueprint blueprint = new Blueprint(
                    "MariaDB", port, new Probe(port, DatabaseEngine.MYSQL), serve(binaries, folder, port, further));
            return new ChildDatabase(
                    blueprint, folder, DatabaseEngine.MYSQL, new ChildDatabase.Login("mariadb", "root", DATABASE));
        });
    }

    /** Each statement has to end its line: the bootstrap reads line by line up to a semicolon. */
    private static String bootstrapSql(Path binaries) {
        StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n");
        try {
            for (String file : SYSTEM_TABLES) {
                sql.append(Files.readString(binaries.resolve("share").resolve(file)));
            }
        } catch (IOException e) {
            throw new DevServerException("Cannot read MariaDB's system tables in " + binaries, e);
        }
        return sql.append("CREATE DATABASE " + DATABASE + " CHARACTER SET utf8mb4;\n")
                .toString();
    }

    private static List<String> bootstrap(Path binaries, ServerFolder folder) {
        List<String> command = program(binaries, folder);
        // The system tables choose their engines themselves, and one of their statements is longer than the default.
        command.addAll(List.of("--bootstrap", "--enforce-storage-engine=", "--max-allowed-packet=8M"));
        return command;
    }

    private static List<String> serve(Path binaries, ServerFolder folder, int port, Settings further) {
        List<String> command = program(binaries, folder);
        command.addAll(List.of(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + folder.socket(),
                "--pid-file=" + folder.temporary().resolve("pid"),
                "--character-set-server=utf8mb4",
                "--innodb-buffer-pool-size=64M",
                // Otherwise it creates a TLS key at each start, which takes seconds.
                "--skip-ssl"));
        command.addAll(further.arguments("--"));
        return command;
    }

    private static List<String> program(Path binaries, ServerFolder folder) {
        List<String> command = new ArrayList<>(List.of(
                binaries.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + binaries,
                "--lc-messages-dir=" + binaries.resolve("share"),
                "--character-sets-dir=" + binaries.resolve("share/charsets"),
                "--datadir=" + folder.data(),
                "--tmpdir=" + folder.temporary()));
        if (Platform.isRoot()) {
            // It runs as root only with this option.
            command.add("--user=root");
        }
        return command;
    }
}
