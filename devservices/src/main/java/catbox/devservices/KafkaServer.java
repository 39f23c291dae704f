package catbox.devservices;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * Starts Kafka servers: one node that is broker and controller, in a small JVM. Topics are not created automatically.
 * Needs catbox-kafka-binaries on the class path.
 *
 * <p>A secured server requires TLS and a user. A user has all permissions until an access control list restricts them.
 */
public final class KafkaServer {

    /** The superuser of a secured server. */
    public static final KafkaLogin ADMIN = new KafkaLogin("SCRAM-SHA-512", "admin", "the-admins-password");

    /** A user of a secured server. */
    public static final KafkaLogin SCRAM_USER = new KafkaLogin("SCRAM-SHA-512", "scram", "the-scram-users-password");

    /** A user of a secured server. */
    public static final KafkaLogin PLAIN_USER = new KafkaLogin("PLAIN", "plain", "the-plain-users-password");

    private static final Signals SIGNALS = new Signals("TERM", "KILL");
    private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
    private static final int CLUSTER_ID_BYTES = 16;

    /** Most servers run for seconds, too short for the second compiler to pay off. */
    private static final List<String> SMALL = List.of("-Xmx320m", "-XX:TieredStopAtLevel=1");

    /** The JVM options of Kafka's own start script. */
    private static final List<String> LASTING = List.of(
            "-Xms1g", "-Xmx1g", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35");

    private KafkaServer() {}

    /** Starts a separate server without logins; the caller closes it. */
    public static KafkaBroker start() {
        return start(Map.of());
    }

    /**
     * Starts a separate server with further settings of {@code server.properties}; the caller closes it.
     *
     * @throws DevServerException if the platform is not supported or the server does not start
     */
    public static KafkaBroker start(Map<String, String> settings) {
        return launch(settings, SMALL, false);
    }

    /**
     * Starts a separate server for measurements, in a JVM with the options of Kafka's own start script; the caller
     * closes it. A small JVM collects garbage every second, which its clients notice.
     */
    public static KafkaBroker startLasting() {
        return launch(Map.of(), LASTING, false);
    }

    /** Starts a separate secured server; the caller closes it. */
    public static KafkaBroker startSecured() {
        return startSecured(Map.of());
    }

    /** Starts a separate secured server with further settings; the caller closes it. */
    public static KafkaBroker startSecured(Map<String, String> settings) {
        return launch(settings, SMALL, true);
    }

    private static KafkaBroker launch(Map<String, String> settings, List<String> jvm, boolean secured) {
        Platform.current().requireSupported();
        Settings further = new Settings(settings);
        Path binaries = KafkaBinaries.unpacked(BinaryCache.standard());
        return ChildServer.launch("kafka", SIGNALS, folder -> {
            KafkaKeys keys = secured ? KafkaKeys.make(folder) : null;
            KafkaPorts ports = KafkaPorts.find();
            Map<String, String> all = new LinkedHashMap<>(KafkaProperties.of(folder, ports, keys));
            all.putAll(further.values());
            String text = all.entrySet().stream()
                    .map(property -> property.getKey() + "=" + property.getValue() + "\n")
                    .collect(Collectors.joining());
            String file = folder.write("server.properties", text).toString();
            folder.run(format(binaries, file, secured), FORMAT_LIMIT);
            List<String> serve = program(binaries, jvm, "kafka.Kafka");
            serve.add(file);
            Blueprint blueprint = new Blueprint(
                    "Kafka", ports.clients(), new Probe(ports.internal(), KafkaGreeting::welcomes), serve);
            return new ChildKafka(blueprint, folder, keys);
        });
    }

    private static List<String> format(Path binaries, String file, boolean secured) {
        byte[] clusterId = new byte[CLUSTER_ID_BYTES];
        ThreadLocalRandom.current().nextBytes(clusterId);
        clusterId[0] = 0; // A name that begins with a dash would be taken for an option.
        List<String> command = program(binaries, SMALL, "kafka.tools.StorageTool");
        command.addAll(List.of(
                "format",
                "--config",
                file,
                "--cluster-id",
                Base64.getUrlEncoder().withoutPadding().encodeToString(clusterId)));
        if (secured) {
            for (KafkaLogin login : List.of(ADMIN, SCRAM_USER)) {
                String user = "[name=" + login.user() + ",password=" + login.password() + "]";
                command.addAll(List.of("--add-scram", login.mechanism() + "=" + user));
            }
        }
        return command;
    }

    private static List<String> program(Path binaries, List<String> jvm, String mainClass) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                binaries.resolve("*").toString(),
                mainClass));
        return command;
    }
}
