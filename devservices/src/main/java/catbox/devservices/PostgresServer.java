package catbox.devservices;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts PostgreSQL servers that keep committed data: {@code fsync} and {@code synchronous_commit} are on. The write
 * ahead log is at level {@code logical}, for change data capture.
 */
public final class PostgresServer {

    private static final Duration PREPARE_LIMIT = Duration.ofMinutes(1);

    private PostgresServer() {}

    /** Starts a separate server; the caller closes it. */
    public static DatabaseServer start() {
        return start(Map.of());
    }

    /**
     * Starts a separate server with further settings of {@code postgresql.conf}; the caller closes it.
     *
     * @throws DevServerException if the platform is not supported or the server does not start
     */
    public static DatabaseServer start(Map<String, String> settings) {
        Platform.current().requireSupported();
        Settings further = new Settings(settings);
        Path binaries = PostgresBinaries.unpacked(BinaryCache.standard());
        return ChildServer.launch("postgresql", DatabaseEngine.POSTGRES.signals(), folder -> {
            folder.run(initialise(binaries, folder), PREPARE_LIMIT);
            int port = FreePort.find();
            Blueprint blueprint = new Blueprint(
                    "PostgreSQL",
                    port,
                    new Probe(port, DatabaseEngine.POSTGRES),
                    serve(binaries, folder, port, further));
            return new ChildDatabase(
                    blueprint,
                    folder,
                    DatabaseEngine.POSTGRES,
                    new ChildDatabase.Login("postgresql", "postgres", "postgres"));
        });
    }

    private static List<String> initialise(Path binaries, ServerFolder folder) {
        List<String> command = program(binaries, "initdb");
        command.addAll(List.of("-D", folder.data().toString(), "-U", "postgres", "-A", "trust"));
        // Without --no-sync it would wait for the disk. Its files need not survive a crash of this machine, as the
        // temporary folder does not.
        command.addAll(List.of("-E", "UTF8", "--locale=C", "--no-sync"));
        return command;
    }

    private static List<String> serve(Path binaries, ServerFolder folder, int port, Settings further) {
        List<String> command = program(binaries, "postgres");
        command.addAll(List.of("-D", folder.data().toString(), "-p", Integer.toString(port)));
        command.addAll(List.of(
                "--listen_addresses=127.0.0.1",
                "--unix_socket_directories=",
                "--fsync=on",
                "--synchronous_commit=on",
                "--wal_level=logical",
                "--max_connections=100",
                // In the data folder instead of /dev/shm, where a killed server would leave a megabyte forever.
                "--dynamic_shared_memory_type=mmap"));
        command.addAll(further.arguments("--"));
        return command;
    }

    /** PostgreSQL refuses to run as root. In a separate user namespace root has no privileges, with the same files. */
    private static List<String> program(Path binaries, String name) {
        List<String> command = new ArrayList<>();
        if (Platform.isRoot()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(binaries.resolve("bin").resolve(name).toString());
        return command;
    }
}
