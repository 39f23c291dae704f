package outbox.relay.deliver;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.util.ErrorText;

/**
 * What of a call can be delivered. A row that another program wrote may hold anything, and an event may lack what its
 * address is made of; such a one is rejected, and what is behind it in its lane waits until that is settled.
 *
 * @param all first those to be delivered, then those that cannot be read, then those behind them
 * @param deliveries the first of them, as the destination is given them
 * @param unreadable why each of the second ones cannot be read
 */
record Batch<T>(List<Sending<T>> all, List<Delivery> deliveries, List<String> unreadable) {

    static <T> Batch<T> of(List<Sending<T>> sendings, int slot) {
        List<Sending<T>> readable = new ArrayList<>(sendings.size());
        List<Delivery> deliveries = new ArrayList<>(sendings.size());
        List<Sending<T>> broken = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        List<Sending<T>> behind = new ArrayList<>();
        Set<Integer> brokenLanes = new HashSet<>();
        for (Sending<T> sending : sendings) {
            if (brokenLanes.contains(sending.lane())) {
                behind.add(sending);
                continue;
            }
            try {
                deliveries.add(delivery(sending, slot));
                readable.add(sending);
            } catch (IllegalArgumentException e) {
                broken.add(sending);
                reasons.add("the event cannot be delivered as it is stored: " + ErrorText.of(e));
                brokenLanes.add(sending.lane());
            }
        }
        List<Sending<T>> all = new ArrayList<>(readable);
        all.addAll(broken);
        all.addAll(behind);
        return new Batch<>(List.copyOf(all), List.copyOf(deliveries), List.copyOf(reasons));
    }

    private static Delivery delivery(Sending<?> sending, int slot) {
        EventEnvelope event = sending.event().toEnvelope();
        String address = sending.address() == null ? null : sending.address().fill(event);
        return new Delivery(event, sending.event().attempts() + 1, address, slot);
    }
}
