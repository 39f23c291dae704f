package catbox.livedemo;

import catbox.devservices.DevServer;
import catbox.devservices.ProgramServer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The two programs of this repository that the demo runs. */
record Programs(Path catboxServer, Path orderService) {

    private static final String SERVER_JAR = "apps/server/target/catbox-server.jar";
    private static final String ORDERS_JAR = "examples/order-service/target/order-service.jar";
    private static final String CONFIG = "catbox.yaml";

    /**
     * Finds the jars in the checkout that this class was built in.
     *
     * @throws IllegalStateException when they were not built
     */
    static Programs find() {
        Path folder = ownPlace();
        while (folder != null) {
            Programs programs = new Programs(folder.resolve(SERVER_JAR), folder.resolve(ORDERS_JAR));
            if (Files.exists(programs.catboxServer) && Files.exists(programs.orderService)) {
                return programs;
            }
            folder = folder.getParent();
        }
        throw new IllegalStateException("above " + ownPlace() + " there are no " + SERVER_JAR + " and " + ORDERS_JAR
                + "; ./catbox demo builds them");
    }

    private static Path ownPlace() {
        try {
            return Path.of(Programs.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("this class is in no folder", e);
        }
    }

    DevServer startCatboxServer(String config, int port) {
        return start("catbox-server", command(catboxServer, List.of("--config", CONFIG)), Map.of(CONFIG, config), port);
    }

    DevServer startOrderService(String databaseUrl, String user, int port) {
        List<String> arguments = List.of(
                "--server.port=" + port,
                "--spring.datasource.url=" + databaseUrl,
                "--spring.datasource.username=" + user);
        return start("order-service", command(orderService, arguments), Map.of(), port);
    }

    private static DevServer start(String name, List<String> command, Map<String, String> files, int port) {
        return ProgramServer.start(name, command, files, port, "/actuator/health");
    }

    private static List<String> command(Path jar, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // A relay without memory is useless, and other nodes take over its partitions when it has ended.
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC",
                // These two run for minutes at most, too short for the second compiler to pay off.
                "-XX:TieredStopAtLevel=1",
                "-jar",
                jar.toString()));
        command.addAll(arguments);
        return command;
    }
}
