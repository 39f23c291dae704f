package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** Kafka's jars, stored as files in the jar of catbox-kafka-binaries, with a list of their names. */
final class KafkaBinaries {

    private static final String LIST = "kafka/jars";

    private KafkaBinaries() {}

    static Path unpacked(BinaryCache cache) {
        String list = new String(content(LIST), StandardCharsets.UTF_8).strip();
        List<String> jars = Arrays.asList(list.split(":"));
        String server = Path.of(jars.get(0)).getFileName().toString().replace(".jar", "");
        // Another version of any jar changes the list, and so the folder.
        CRC32 checksum = new CRC32();
        checksum.update(list.getBytes(StandardCharsets.UTF_8));
        return cache.folder(server + "-" + Long.toHexString(checksum.getValue()), folder -> {
            for (String jar : jars) {
                Path file = FileTree.below(folder, Path.of(jar).getFileName().toString());
                Files.write(file, content(jar));
            }
        });
    }

    private static byte[] content(String resource) {
        try (InputStream in = KafkaBinaries.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new DevServerException("No Kafka on the class path: add io.catbox:catbox-kafka-binaries");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new DevServerException("Cannot read Kafka's " + resource, e);
        }
    }
}
