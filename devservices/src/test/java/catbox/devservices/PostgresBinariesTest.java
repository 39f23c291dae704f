package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PostgresBinariesTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    @Test
    void keepsLinksAndExecutableBits() throws Exception {
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new XZCompressorOutputStream(bytes))) {
            file(tar, "bin/postgres", 0755);
            file(tar, "share/readme", 0644);
            TarArchiveEntry link = new TarArchiveEntry("bin/postmaster", TarConstants.LF_SYMLINK);
            link.setLinkName("postgres");
            tar.putArchiveEntry(link);
            tar.closeArchiveEntry();
        }

        PostgresBinaries.unpack(new ByteArrayInputStream(bytes.toByteArray()), folder);

        assertThat(folder.resolve("bin/postgres")).isExecutable();
        assertThat(Files.isExecutable(folder.resolve("share/readme"))).isFalse();
        assertThat(Files.readSymbolicLink(folder.resolve("bin/postmaster"))).isEqualTo(Path.of("postgres"));
    }

    @Test
    void refusesEntriesThatLeaveTheFolder() throws Exception {
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new XZCompressorOutputStream(bytes))) {
            file(tar, "../outside", 0644);
        }

        assertThatThrownBy(() -> PostgresBinaries.unpack(new ByteArrayInputStream(bytes.toByteArray()), folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("../outside");
        assertThat(folder.resolveSibling("outside")).doesNotExist();
    }

    private static void file(TarArchiveOutputStream tar, String name, int mode) throws IOException {
        byte[] content = name.getBytes(StandardCharsets.UTF_8);
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setMode(mode);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }
}
