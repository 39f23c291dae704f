package outbox.relay.internal.deliver;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.message.Template;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.relay.internal.model.Consequence;
import outbox.relay.internal.model.Deliverable;

/**
 * The events of one call, split into those that can be delivered and those that are answered here. A row that another
 * program wrote may hold anything, and an event may lack a part of its address; such an event is rejected. An event whose
 * address is unavailable waits. The events behind either in its lane are returned to the lane.
 *
 * @param all first those to be delivered, then those that are answered without asking the destination
 * @param deliveries the first of them, as the destination is given them
 * @param answers the answers for the others
 * @param probing which of the deliveries probe their address
 */
record ReadableBatch(List<Deliverable> all, List<Delivery> deliveries, List<Answer> answers, BitSet probing) {

    /** An answer that needs no destination. */
    record Answer(Outcome outcome, Consequence consequence) {
        private static final Answer BEHIND = new Answer(
                new Outcome.Unavailable("behind an event of its key that cannot be delivered", Scope.CALL),
                Consequence.RETURNED);
    }

    static ReadableBatch of(List<? extends Deliverable> events, int partition, DestinationGate gate) {
        List<Deliverable> sendable = new ArrayList<>(events.size());
        List<Delivery> deliveries = new ArrayList<>(events.size());
        List<Deliverable> rejected = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        Set<Integer> stoppedLanes = new HashSet<>();
        BitSet probing = new BitSet();
        for (Deliverable event : events) {
            Answer answer;
            if (stoppedLanes.contains(event.laneId())) {
                answer = Answer.BEHIND;
            } else {
                try {
                    Delivery delivery = delivery(event, partition);
                    AddressBreakers.Admission admission = admission(gate, delivery);
                    if (admission.refusal() == null) {
                        probing.set(deliveries.size(), admission.probes());
                        deliveries.add(delivery);
                        sendable.add(event);
                        continue;
                    }
                    answer = new Answer(
                            new Outcome.Unavailable(admission.refusal(), Scope.ADDRESS),
                            new Consequence.AwaitsAddress(gate.destination().addressOf(delivery)));
                } catch (IllegalArgumentException e) {
                    answer = new Answer(
                            new Outcome.Rejected("the event cannot be delivered as it is stored: " + ErrorText.of(e)),
                            Consequence.ATTEMPTED);
                } catch (RuntimeException e) { // Whatever a destination throws is an answer, and must not end the loop.
                    answer = new Answer(new Outcome.Retryable(ErrorText.of(e), null), Consequence.ATTEMPTED);
                }
                stoppedLanes.add(event.laneId());
            }
            rejected.add(event);
            answers.add(answer);
        }
        List<Deliverable> all = new ArrayList<>(sendable);
        all.addAll(rejected);
        return new ReadableBatch(List.copyOf(all), List.copyOf(deliveries), List.copyOf(answers), probing);
    }

    private static Delivery delivery(Deliverable event, int partition) {
        EventEnvelope envelope = event.event().toEnvelope();
        Template template = event.address();
        String address = template == null ? null : template.fill(envelope);
        return new Delivery(envelope, event.event().attempts() + 1, address, partition);
    }

    private static AddressBreakers.Admission admission(DestinationGate gate, Delivery delivery) {
        return gate.addresses().isAnyUnavailable()
                ? gate.addresses().admit(gate.destination().addressOf(delivery))
                : AddressBreakers.Admission.FREE;
    }

    boolean probes(int index) {
        return probing.get(index);
    }

    /** The address of one of the deliveries; null if it cannot be computed. */
    @Nullable
    String address(DestinationGate gate, int index) {
        try {
            return gate.destination().addressOf(deliveries.get(index));
        } catch (RuntimeException e) {
            return null;
        }
    }
}
