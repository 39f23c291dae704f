package catbox.devservices;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Chromium with the libraries that it needs and a font, from Debian's packages.
 *
 * @param root the unpacked packages, without libraries that do not fit the system's loader
 */
record ChromiumBinaries(Path root) {

    private static final String SUITE = "bookworm";
    private static final List<DebianPackages> PACKAGES =
            List.of(new DebianPackages(SUITE, "chromium"), new DebianPackages(SUITE, "fonts-dejavu-core"));
    private static final Path SYSTEM_LIBRARIES = Path.of("lib/x86_64-linux-gnu");
    private static final List<Path> LIBRARIES = List.of(
            Path.of("usr/lib/x86_64-linux-gnu"), Path.of("usr/lib/x86_64-linux-gnu/pulseaudio"), SYSTEM_LIBRARIES);

    /** The C library's own files, which have to be those of the system's loader. */
    private static final String C_LIBRARY =
            "{ld-linux*,libc.so*,libm.so*,libdl.so*,librt.so*,libpthread.so*,libresolv.so*,libutil.so*,libanl.so*,"
                    + "libmvec.so*,libnsl.so*,libthread_db.so*,libBrokenLocale.so*,libnss_*,libc_*}";

    static Path unpacked(BinaryCache cache) {
        return cache.folder("chromium-debian-" + SUITE, ChromiumBinaries::fetch);
    }

    private static void fetch(Path folder) throws IOException {
        for (DebianPackages each : PACKAGES) {
            each.unpackInto(folder);
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve(SYSTEM_LIBRARIES), C_LIBRARY)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.writeString(folder.resolve("fonts.conf"), """
                <?xml version="1.0"?>
                <fontconfig>
                  <dir prefix="relative">usr/share/fonts</dir>
                  <cachedir prefix="relative">font-cache</cachedir>
                  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
                  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
                </fontconfig>
                """);
    }

    Chromium program() {
        String libraries =
                LIBRARIES.stream().map(each -> root.resolve(each).toString()).collect(Collectors.joining(":"));
        return new Chromium(
                root.resolve("usr/lib/chromium/chromium"),
                Map.of(
                        "LD_LIBRARY_PATH",
                        libraries,
                        "FONTCONFIG_FILE",
                        root.resolve("fonts.conf").toString()));
    }
}
