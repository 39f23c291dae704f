package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BinaryCacheTest {

    private final AtomicInteger unpackings = new AtomicInteger();

    @TempDir
    Path root;

    @Test
    void unpacksOnceForAnyNumberOfThreads() {
        BinaryCache cache = new BinaryCache(root);
        List<CompletableFuture<Path>> askers = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> cache.folder("server-1", this::unpack), Thread::startVirtualThread))
                .limit(8)
                .toList();

        assertThat(askers.stream().map(CompletableFuture::join)).containsOnly(root.resolve("server-1"));
        assertThat(unpackings).hasValue(1);
        assertThat(root.resolve("server-1/program")).hasContent("run");
    }

    @Test
    void deletesAFailedUnpackingAndTriesAgain() {
        BinaryCache cache = new BinaryCache(root);

        assertThatThrownBy(() -> cache.folder("server-1", folder -> {
                    unpack(folder);
                    throw new IOException("disk full");
                }))
                .isInstanceOf(DevServerException.class)
                .hasMessageContaining("disk full")
                .hasMessageContaining(root.toString());
        assertThat(root.resolve("server-1")).doesNotExist();
        assertThat(cache.folder("server-1", this::unpack)).isDirectoryContaining("glob:**/program");
    }

    @Test
    void deletesAHalfUnpackedFolderOfAKilledJvm() throws Exception {
        Path leftover = Files.createDirectories(root.resolve(".server-1-123"));
        Files.writeString(leftover.resolve("program"), "ru");

        new BinaryCache(root).folder("server-1", this::unpack);

        assertThat(leftover).doesNotExist();
    }

    @Test
    void usesTheHomeFolderByDefault() {
        Properties properties = new Properties();
        properties.setProperty("user.home", "/home/cat");
        Map<String, String> environment = Map.of("CATBOX_DEVSERVICES_CACHE", "/from/environment");

        assertThat(BinaryCache.location(properties, Map.of()))
                .isEqualTo(Path.of("/home/cat/.cache/catbox/devservices"));
        assertThat(BinaryCache.location(properties, environment)).isEqualTo(Path.of("/from/environment"));
        properties.setProperty("catbox.devservices.cache", "/from/property");
        assertThat(BinaryCache.location(properties, environment)).isEqualTo(Path.of("/from/property"));
    }

    private void unpack(Path folder) throws IOException {
        unpackings.incrementAndGet();
        Files.writeString(folder.resolve("program"), "run");
    }
}
