package catbox.mutations;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All mutations. */
final class Mutations {

    static final List<Mutation> ALL = Stream.of(
                    ClaimMutations.ALL,
                    OrderMutations.ALL,
                    ClusterMutations.ALL,
                    DeathMutations.ALL,
                    StoreMutations.ALL,
                    TransportMutations.ALL)
            .flatMap(List::stream)
            .toList();

    private Mutations() {}

    static List<Mutation> forTheGate() {
        return ALL.stream()
                .filter(mutation -> mutation.catcher().isForTheGate())
                .toList();
    }

    /** Those whose name contains a text, whatever its case. */
    static List<Mutation> named(String part) {
        String wanted = part.toLowerCase(Locale.ROOT);
        return ALL.stream()
                .filter(mutation -> mutation.name().toLowerCase(Locale.ROOT).contains(wanted))
                .toList();
    }
}
