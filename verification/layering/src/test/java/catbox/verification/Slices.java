package catbox.verification;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;

/**
 * A slice for each package, with two exceptions. The event, its records and the ports that carry them are one slice, because
 * an event and its store name each other. A store is one slice with its internal rooms: its public classes put the rooms
 * together, and the rooms use the public names of its tables.
 */
final class Slices implements SliceAssignment {

    private static final Set<String> EVENT =
            Set.of("outbox", "outbox.model", "outbox.spi", "outbox.spi.relay", "outbox.internal");

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
        String name = javaClass.getPackageName();
        return SliceIdentifier.of(
                EVENT.contains(name) ? "outbox" : name.replaceFirst("(outbox\\.(jdbc|mongodb))\\..*", "$1"));
    }

    @Override
    public String getDescription() {
        return "packages";
    }
}
