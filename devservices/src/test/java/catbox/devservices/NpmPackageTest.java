package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NpmPackageTest {

    /** The SHA-256 of no bytes at all. */
    private static final String OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    @TempDir
    Path folder;

    @Test
    void acceptsTheReviewedArchive() throws IOException {
        new NpmPackage("thing", "1.0.0", OF_NOTHING).requireHash(Files.createFile(folder.resolve("thing.tgz")));
    }

    @Test
    void refusesAnyOther() throws IOException {
        Path archive = Files.writeString(folder.resolve("thing.tgz"), "something");

        assertThatThrownBy(() -> new NpmPackage("thing", "1.0.0", OF_NOTHING).requireHash(archive))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("thing@1.0.0")
                .hasMessageContaining("SHA-256");
    }
}
