package catbox.verification;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;

/**
 * A slice for each package, with these exceptions. The event, its records, the ports that carry them and what they share are
 * one slice, because an event and its store name each other. A store is one slice: its public classes put its rooms together. What the dispatcher shares with the relay counts as the dispatcher's.
 */
final class Slices implements SliceAssignment {

    private static final Set<String> EVENT = Set.of(
            "outbox", "outbox.model", "outbox.spi", "outbox.spi.relay", "outbox.spi.operations", "outbox.internal");
    private static final Set<String> OF_THE_DISPATCHER =
            Set.of("SettleRule", "SafeMetrics", "ClaimKeeper", "HeldClaim");

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
        String name = javaClass.getPackageName();
        String type = javaClass.getName().replaceFirst(".*\\.", "").replaceFirst("\\$.*", "");
        if (name.equals("outbox.internal") && OF_THE_DISPATCHER.contains(type)) {
            return SliceIdentifier.of("outbox.dispatch");
        }
        return SliceIdentifier.of(
                EVENT.contains(name) ? "outbox" : name.replaceFirst("(outbox\\.(jdbc|mongodb))\\..*", "$1"));
    }

    @Override
    public String getDescription() {
        return "packages";
    }
}
