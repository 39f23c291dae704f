package catbox.server.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.relay.DestinationStatus;
import outbox.relay.Relay;
import outbox.relay.RelayStatus;
import outbox.relay.observe.RelayEvent;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * What is wrong with a source in this process.
 *
 * @param reloadComplaints why the server's file, as it is now, was not taken over; empty when it was
 */
record SourceFindings(Relay relay, SourceActivity watch, SourceDatabase database, List<String> reloadComplaints) {

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>(database.findings());
        RelayStatus now = relay.status();
        now.destinations()
                .forEach((name, status) -> findings.addAll(
                        ofDestination(name, status, watch.destination(name).lastError())));
        now.fullPartitions().forEach(partition -> findings.add(full(partition)));
        watch.lastFailure().ifPresent(failure -> findings.add(ofRelay(failure)));
        if (!reloadComplaints.isEmpty()) {
            findings.add(ofReload());
        }
        return findings;
    }

    /**
     * What is wrong with one destination.
     *
     * @param refusal the last error for which an event of it died; null for none
     */
    static List<Finding> ofDestination(String name, DestinationStatus status, @Nullable String refusal) {
        List<Finding> findings = new ArrayList<>();
        switch (status.state()) {
            case UNKNOWN ->
                findings.add(Finding.advice(
                        FindingCode.DESTINATION_NOT_CONTACTED,
                        "A destination was never contacted",
                        "destination " + name,
                        "The first event that goes there shows whether it works."));
            case DOWN -> findings.add(down(name, status));
            case UP -> up(name, status.lastError(), refusal).ifPresent(findings::add);
        }
        for (DestinationStatus.Address address : status.addresses()) {
            findings.add(unavailable(name, address));
        }
        return findings;
    }

    private static Finding down(String name, DestinationStatus status) {
        String error = Objects.requireNonNullElse(status.lastError(), "no error is known");
        String evidence = "destination " + name + ", since " + status.since() + ", next probe at " + status.nextProbe()
                + ": " + error;
        DestinationErrors trouble = DestinationErrors.of(error);
        return trouble != DestinationErrors.OTHER
                ? trouble.finding(evidence)
                : Finding.error(
                        FindingCode.DESTINATION_DOWN,
                        "A destination is unavailable, and its events wait",
                        evidence,
                        "Repair what the error says. The relay probes the destination every few seconds and delivers what"
                                + " waits, in order, once it answers.");
    }

    private static Optional<Finding> up(String name, @Nullable String error, @Nullable String refusal) {
        return Optional.ofNullable(error)
                .map(text -> DestinationErrors.of(text).finding("destination " + name + ": " + text))
                .or(() -> refused(name, refusal));
    }

    /** What is no known trouble may be anything: a full queue, a quota, a leader that is missing. */
    static Finding unavailable(String destination, DestinationStatus.Address address) {
        String evidence = "destination " + destination + ", address " + address.address() + ", since " + address.since()
                + ", next probe at " + address.nextProbe() + ": " + address.lastError();
        DestinationErrors trouble = DestinationErrors.of(address.lastError());
        return trouble != DestinationErrors.OTHER
                ? trouble.finding(evidence)
                : Finding.error(
                        FindingCode.DESTINATION_ADDRESS_UNAVAILABLE,
                        "An address of a destination is unavailable, and its events wait",
                        evidence,
                        "Repair what the error says. The relay probes the address every few seconds and delivers what waits,"
                                + " in order, once it takes events; events for other addresses are delivered meanwhile.");
    }

    static Finding full(RelayEvent.LanesFull slot) {
        String purpose = slot.waitFor() == null ? "for a retry or a route" : "many of them for " + slot.waitFor();
        return Finding.error(
                FindingCode.PARTITION_FULL,
                "Too many keys of a partition wait, and the node reads nothing new from it",
                "partition " + slot.partition() + ": " + slot.lanes() + " keys wait, " + purpose,
                "Repair the destination or address that they wait for, or give their events another route: what waits"
                        + " follows it at once. Until some of these keys go on, new events of the partition wait too,"
                        + " whatever their destination.");
    }

    // A transport may take it for final that it is not let in: then events die, and the gate stays open.
    private static Optional<Finding> refused(String name, @Nullable String refusal) {
        return Optional.ofNullable(refusal)
                .filter(error -> DestinationErrors.of(error) != DestinationErrors.OTHER)
                .map(error -> DestinationErrors.of(error).findingOfTheDead("destination " + name + ": " + error));
    }

    private static Finding ofRelay(String failure) {
        return Finding.warning(
                FindingCode.RELAY_PART_FAILED,
                "A part of the relay fails",
                "since the last heartbeat of this node: " + failure,
                "It is tried again by itself. If it lasts, its log has the whole of it.");
    }

    private Finding ofReload() {
        return Finding.warning(
                FindingCode.RELOAD_REFUSED,
                "The server's file was changed, and could not be taken over",
                String.join("; ", reloadComplaints),
                "Correct the file and have it read again: the server works as it did before, and would not start"
                        + " like this.");
    }
}
