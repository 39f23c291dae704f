package catbox.devservices;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A browser for tests: the one that the environment names, else an installed one, else Debian's, which is unpacked
 * without being installed.
 *
 * @param executable the program
 * @param environment variables that the program needs in addition to the inherited ones
 */
public record Chromium(Path executable, Map<String, String> environment) {

    private static final String VARIABLE = "CATBOX_CHROMIUM";
    private static final List<Path> INSTALLED =
            List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/google-chrome"));

    /** Evaluated once for each JVM: without a network each further attempt would wait just as long. */
    private static final class Once {
        static final Provision<Chromium> PROVISION =
                provide(System.getenv(), Platform.current(), BinaryCache.standard());
    }

    /**
     * Returns why no browser is available, as a sentence for a skipped test; empty if one is. The very first call may
     * take minutes, because it downloads packages.
     */
    public static Optional<String> unavailableReason() {
        return Once.PROVISION.unavailableReason();
    }

    /**
     * Returns the browser.
     *
     * @throws DevServerException with the reason if none is available
     */
    public static Chromium find() {
        return Once.PROVISION.require();
    }

    static Provision<Chromium> provide(Map<String, String> environment, Platform platform, BinaryCache cache) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isBlank()) {
            return Files.isExecutable(Path.of(named))
                    ? new Provision.Ready<>(new Chromium(Path.of(named), Map.of()))
                    : new Provision.Unavailable<>(VARIABLE + " names " + named + ", which is no program");
        }
        Optional<Path> installed =
                INSTALLED.stream().filter(Files::isExecutable).findFirst();
        return installed.isPresent()
                ? new Provision.Ready<>(new Chromium(installed.get(), Map.of()))
                : Provision.of(
                        "Without " + VARIABLE + " Chromium",
                        found -> new ChromiumBinaries(ChromiumBinaries.unpacked(found)).program(),
                        platform,
                        cache);
    }
}
