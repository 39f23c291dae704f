package catbox.devservices;

import java.util.Optional;
import java.util.function.Function;

/**
 * Whether the binaries of a program are available on this machine. Their absence is expected, hence a value.
 *
 * @param <B> the binaries
 */
sealed interface Provision<B> {

    record Ready<B>(B binaries) implements Provision<B> {}

    record Unavailable<B>(String reason) implements Provision<B> {}

    /** Fetches binaries into the account's cache, if this platform has them. */
    static <B> Provision<B> of(String name, Function<BinaryCache, B> fetch) {
        return of(name, fetch, Platform.current(), BinaryCache.standard());
    }

    static <B> Provision<B> of(String name, Function<BinaryCache, B> fetch, Platform platform, BinaryCache cache) {
        if (!platform.supported()) {
            return new Unavailable<>(platform.unsupportedReason());
        }
        try {
            return new Ready<>(fetch.apply(cache));
        } catch (DevServerException e) {
            return new Unavailable<>(name + " is not available here: " + e.getMessage());
        }
    }

    /** Returns the reason as a sentence for a skipped test; empty if the binaries are available. */
    default Optional<String> unavailableReason() {
        return switch (this) {
            case Ready<B> ready -> Optional.empty();
            case Unavailable<B> unavailable -> Optional.of(unavailable.reason());
        };
    }

    /**
     * Returns the binaries.
     *
     * @throws DevServerException with the reason if they are not available
     */
    default B require() {
        return switch (this) {
            case Ready<B> ready -> ready.binaries();
            case Unavailable<B> unavailable -> throw new DevServerException(unavailable.reason());
        };
    }
}
