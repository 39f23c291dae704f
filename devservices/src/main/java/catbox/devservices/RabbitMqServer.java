package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Starts RabbitMQ servers, where RabbitMQ is available. Its binaries come from Debian's packages, so they need Debian's
 * package tools and, the first time, a network. Each server is a separate node with its own name service.
 */
public final class RabbitMqServer {

    private static final Signals SIGNALS = new Signals("TERM", "QUIT");
    private static final byte[] HELLO = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final byte METHOD_FRAME = 1;

    private RabbitMqServer() {}

    /**
     * Returns why RabbitMQ is not available, as a sentence for a skipped test; empty if it is. The very first call may
     * take a minute, because it downloads the binaries; within one JVM the answer stays the same.
     */
    public static Optional<String> unavailableReason() {
        return RabbitMqBinaries.provided().unavailableReason();
    }

    /** Starts a separate server; the caller closes it. */
    public static RabbitMqBroker start() {
        return start(Map.of());
    }

    /**
     * Starts a separate server with further settings of {@code rabbitmq.conf}; the caller closes it.
     *
     * @throws DevServerException if RabbitMQ is not available here or the server does not start
     */
    public static RabbitMqBroker start(Map<String, String> settings) {
        Settings further = new Settings(settings);
        RabbitMqBinaries binaries = RabbitMqBinaries.provided().require();
        return ChildServer.launch("rabbitmq", SIGNALS, folder -> {
            KafkaKeys keys = KafkaKeys.make(folder);
            int port = FreePort.find();
            int tlsPort = FreePort.find();
            Map<String, String> all = new LinkedHashMap<>(configuration(port, tlsPort, keys, folder));
            all.putAll(further.values());
            folder.write(
                    "rabbitmq.conf",
                    all.entrySet().stream()
                            .map(setting -> setting.getKey() + " = " + setting.getValue() + "\n")
                            .collect(Collectors.joining()));
            Blueprint blueprint = new Blueprint(
                    "RabbitMQ",
                    port,
                    new Probe(port, (in, out) -> {
                        out.write(HELLO);
                        out.flush();
                        return in.readByte() == METHOD_FRAME;
                    }),
                    List.of(
                            "sh",
                            "-c",
                            script(),
                            "catbox-rabbitmq",
                            binaries.erlang().toString()),
                    environment(binaries, folder));
            return new ChildRabbitMq(blueprint, folder, tlsPort, keys);
        });
    }

    private static Map<String, String> configuration(int port, int tlsPort, KafkaKeys keys, ServerFolder folder) {
        PemFiles server = PemFiles.write(keys.keyStore(), KafkaKeys.PASSWORD, "server", folder);
        Map<String, String> configuration = new LinkedHashMap<>();
        configuration.put("listeners.tcp.1", "127.0.0.1:" + port);
        configuration.put("listeners.ssl.1", "127.0.0.1:" + tlsPort);
        configuration.put("ssl_options.cacertfile", server.certificates().toString());
        configuration.put("ssl_options.certfile", server.certificates().toString());
        configuration.put("ssl_options.keyfile", server.key().toString());
        configuration.put("ssl_options.verify", "verify_none");
        configuration.put("ssl_options.fail_if_no_peer_cert", "false");
        configuration.put("default_user", ChildRabbitMq.USER);
        configuration.put("default_pass", ChildRabbitMq.PASSWORD);
        configuration.put("disk_free_limit.absolute", "10MB");
        configuration.put("log.console", "true");
        configuration.put("log.console.level", "warning");
        configuration.put("log.file", "false");
        return configuration;
    }

    private static Map<String, String> environment(RabbitMqBinaries binaries, ServerFolder folder) {
        String plugins = folder.write("enabled_plugins", "[].\n").toString();
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("HOME", folder.temporary().toString());
        environment.put("LD_LIBRARY_PATH", binaries.libraries().toString());
        environment.put("ERL_LIBS", binaries.home().resolve("plugins").toString());
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put("ERL_EPMD_PORT", Integer.toString(FreePort.find()));
        environment.put("RABBITMQ_HOME", binaries.home().toString());
        environment.put("RABBITMQ_NODENAME", "catbox@localhost");
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(FreePort.find()));
        environment.put(
                "RABBITMQ_CONFIG_FILE",
                Path.of(plugins).resolveSibling("rabbitmq").toString());
        environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
        environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", plugins);
        environment.put("RABBITMQ_LOG_BASE", folder.temporary().toString());
        environment.put("RABBITMQ_MNESIA_BASE", folder.data().toString());
        environment.put("RABBITMQ_PID_FILE", folder.temporary().resolve("pid").toString());
        return environment;
    }

    private static String script() {
        try (InputStream in = RabbitMqServer.class.getResourceAsStream("rabbitmq.sh")) {
            if (in == null) {
                throw new DevServerException("rabbitmq.sh is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new DevServerException("Cannot read rabbitmq.sh", e);
        }
    }
}
