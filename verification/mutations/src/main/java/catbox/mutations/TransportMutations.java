package catbox.mutations;

import static catbox.mutations.Mutation.edit;
import static catbox.mutations.Mutation.mutation;

import java.util.List;

/** The transports. */
final class TransportMutations {

    private static final Catcher RUN = new Catcher.Test("transports/kafka", "outbox.kafka.KeyRunTest", "");

    static final List<Mutation> ALL = List.of(mutation(
            "next topic after the first record",
            "a key's event for its next topic overtakes those that are still in flight to the one before",
            RUN,
            edit(
                    "outbox/kafka/KeyRun.java",
                    "arrived.incrementAndGet() == records.size() ? next",
                    "arrived.incrementAndGet() == 1 ? next")));

    private TransportMutations() {}
}
