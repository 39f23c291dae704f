package outbox.relay;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

/** Creates destinations of kind {@code file}, which have one setting: {@code path}. */
public final class FileDestinationFactory implements DestinationFactory {

    @Override
    public String kind() {
        return "file";
    }

    @Override
    public Destination create(Settings settings) {
        Path path = settings.parsed("path", Path::of).orElseThrow(() -> settings.wrong("path", "is missing"));
        try {
            return new FileDestination(path);
        } catch (UncheckedIOException e) {
            throw settings.wrong("path", "names a file that cannot be written: " + e.getCause());
        }
    }
}
