package catbox.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The operating system and processor that the bundled binaries have to fit. */
record Platform(String system, String processor) {

    static Platform current() {
        return new Platform(System.getProperty("os.name", "unknown"), System.getProperty("os.arch", "unknown"));
    }

    boolean supported() {
        return system.equals("Linux") && processor.equals("amd64");
    }

    void requireSupported() {
        if (!supported()) {
            throw new DevServerException(unsupportedReason());
        }
    }

    String unsupportedReason() {
        return "The bundled servers run on Linux on amd64 (x86-64); this is " + system + " on " + processor
                + ". Run on such a machine, or give the tests a server of your own.";
    }

    /** Servers refuse to run as root or need additional options for it, and most containers run as root. */
    static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
