package catbox.devservices;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A browser for tests: the one that the environment names, else one that is installed, else Debian's, which is unpacked
 * beside the system and not installed.
 *
 * @param executable the program
 * @param environment that the program needs besides what it inherits
 */
public record Chromium(Path executable, Map<String, String> environment) {

    private static final String VARIABLE = "CATBOX_CHROMIUM";
    private static final List<Path> INSTALLED =
            List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/google-chrome"));

    /** Whether there is one. That there is none is nothing unexpected, hence a value. */
    sealed interface Provision {}

    record Ready(Chromium chromium) implements Provision {}

    record Unavailable(String reason) implements Provision {}

    /** Found out once for each JVM: without a network each further try would cost the same long wait. */
    private static final class Once {
        static final Provision PROVISION = provide(System.getenv(), Platform.current(), BinaryCache.standard());
    }

    /**
     * Why no browser can be had here, as a sentence for a skipped test; empty if one can. The first call of all may take
     * minutes, since it fetches packages.
     */
    public static Optional<String> unavailableReason() {
        return switch (Once.PROVISION) {
            case Ready ready -> Optional.empty();
            case Unavailable unavailable -> Optional.of(unavailable.reason());
        };
    }

    /**
     * The browser.
     *
     * @throws DevServerException if none can be had, with the reason
     */
    public static Chromium find() {
        return switch (Once.PROVISION) {
            case Ready ready -> ready.chromium();
            case Unavailable unavailable -> throw new DevServerException(unavailable.reason());
        };
    }

    static Provision provide(Map<String, String> environment, Platform platform, BinaryCache cache) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isBlank()) {
            return Files.isExecutable(Path.of(named))
                    ? new Ready(new Chromium(Path.of(named), Map.of()))
                    : new Unavailable(VARIABLE + " names " + named + ", which is no program");
        }
        Optional<Path> installed =
                INSTALLED.stream().filter(Files::isExecutable).findFirst();
        if (installed.isPresent()) {
            return new Ready(new Chromium(installed.get(), Map.of()));
        }
        if (!platform.supported()) {
            return new Unavailable(platform.unsupportedReason());
        }
        try {
            return new Ready(new ChromiumBinaries(ChromiumBinaries.unpacked(cache)).program());
        } catch (DevServerException e) {
            return new Unavailable("Chromium cannot be had here: " + e.getMessage() + "; " + VARIABLE
                    + " can name one that is installed");
        }
    }
}
