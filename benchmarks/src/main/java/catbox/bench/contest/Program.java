package catbox.bench.contest;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A jar with its libraries, and how a JVM runs it. All have the same heap. */
enum Program {
    OWN("benchmarks", "catbox.bench.own.OwnContenders"),
    GRUELBOX("peers/gruelbox", "catbox.bench.gruelbox.GruelboxContender"),
    NAMASTACK("peers/namastack", "catbox.bench.namastack.NamastackContender"),
    MODULITH("peers/modulith", "catbox.bench.modulith.ModulithContender"),
    DEBEZIUM("peers/debezium", "catbox.bench.debezium.DebeziumContender");

    /** // Of fixed size: a collector that returns memory while others run would have little to begin with. */
    private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");

    // For some of them, logging every event would cost more than the event.
    private static final String QUIET = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn";

    private final String folder;
    private final String mainClass;

    Program(String folder, String mainClass) {
        this.folder = folder;
        this.mainClass = mainClass;
    }

    List<String> command() {
        Path target =
                this == OWN ? home().resolve("target") : home().resolve(folder).resolve("target");
        String name = this == OWN ? folder : Path.of(folder).getFileName().toString();
        Path jar = target.resolve(name + ".jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException("no " + jar + ": ./catbox bench peers builds it");
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(HEAP);
        command.addAll(List.of(QUIET, "-cp", jar + ":" + target.resolve("lib") + "/*", mainClass));
        return command;
    }

    static String settings() {
        return "each contender in a JVM of its own with " + String.join(" ", HEAP) + " on Java "
                + Runtime.version().feature();
    }

    /** Returns the benchmarks' folder, found relative to their jar. */
    static Path home() {
        try {
            return Path.of(Program.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve("../..")
                    .normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
