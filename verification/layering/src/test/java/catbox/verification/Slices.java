package catbox.verification;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;

/** A slice for each package, except that the event, its records and its ports are one. */
final class Slices implements SliceAssignment {

    private static final Set<String> EVENT = Set.of("outbox", "outbox.model", "outbox.spi");

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
        String name = javaClass.getPackageName();
        return SliceIdentifier.of(EVENT.contains(name) ? "outbox" : name);
    }

    @Override
    public String getDescription() {
        return "packages";
    }
}
