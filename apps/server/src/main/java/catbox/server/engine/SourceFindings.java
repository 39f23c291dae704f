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
 * The findings about a source in this process.
 *
 * @param reloadErrors why the present content of the server's file was not applied; empty when it was
 */
record SourceFindings(Relay relay, SourceActivity activity, SourceDatabase database, List<String> reloadErrors) {

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>(database.findings());
        RelayStatus now = relay.status();
        now.destinations()
                .forEach((name, status) -> findings.addAll(
                        ofDestination(name, status, activity.destination(name).lastError())));
        now.fullPartitions().forEach(partition -> findings.add(full(partition)));
        activity.lastFailure().ifPresent(failure -> findings.add(ofRelay(failure)));
        if (!reloadErrors.isEmpty()) {
            findings.add(ofReload());
        }
        return findings;
    }

    /**
     * The findings about one destination.
     *
     * @param refusal the last error that made an event of it dead; null for none
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
        DestinationErrors kind = DestinationErrors.of(error);
        return kind != DestinationErrors.OTHER
                ? kind.finding(evidence)
                : Finding.error(
                        FindingCode.DESTINATION_DOWN,
                        "A destination is unavailable, and its events wait",
                        evidence,
                        "Repair what the error says. The relay probes the destination every few seconds, and delivers the"
                                + " waiting events in order once it answers.");
    }

    private static Optional<Finding> up(String name, @Nullable String error, @Nullable String refusal) {
        return Optional.ofNullable(error)
                .map(text -> DestinationErrors.of(text).finding("destination " + name + ": " + text))
                .or(() -> refused(name, refusal));
    }

    /** An error of no known kind may have any cause: a full queue, a quota, a partition without leader. */
    static Finding unavailable(String destination, DestinationStatus.Address address) {
        String evidence = "destination " + destination + ", address " + address.address() + ", since " + address.since()
                + ", next probe at " + address.nextProbe() + ": " + address.lastError();
        DestinationErrors kind = DestinationErrors.of(address.lastError());
        return kind != DestinationErrors.OTHER
                ? kind.finding(evidence)
                : Finding.error(
                        FindingCode.DESTINATION_ADDRESS_UNAVAILABLE,
                        "An address of a destination is unavailable, and its events wait",
                        evidence,
                        "Repair what the error says. The relay probes the address every few seconds, and delivers the waiting"
                                + " events in order once it takes them; events for other addresses are delivered meanwhile.");
    }

    static Finding full(RelayEvent.LanesFull full) {
        String purpose = full.waitFor() == null ? "for a retry or a route" : "many of them for " + full.waitFor();
        return Finding.error(
                FindingCode.PARTITION_FULL,
                "Too many keys of a partition wait, and the node fetches no new events of it",
                "partition " + full.partition() + ": " + full.lanes() + " keys wait, " + purpose,
                "Repair the destination or address that they wait for, or give their events another route, which"
                        + " waiting events follow at once. Until some of these keys continue, new events of the"
                        + " partition wait too, whatever their destination.");
    }

    // A transport that may not log in may reject its events. They are dead then, and the breaker stays closed.
    private static Optional<Finding> refused(String name, @Nullable String refusal) {
        return Optional.ofNullable(refusal)
                .filter(error -> DestinationErrors.of(error) != DestinationErrors.OTHER)
                .map(error -> DestinationErrors.of(error).findingForDeadEvents("destination " + name + ": " + error));
    }

    private static Finding ofRelay(String failure) {
        return Finding.warning(
                FindingCode.RELAY_PART_FAILED,
                "A part of the relay fails",
                "since the last heartbeat of this node: " + failure,
                "It is retried automatically. If it lasts, the server's log has the details.");
    }

    private Finding ofReload() {
        return Finding.warning(
                FindingCode.RELOAD_REFUSED,
                "The server's file was changed, and could not be applied",
                String.join("; ", reloadErrors),
                "Correct the file and reload it: the server works with the former content, and would not start with"
                        + " this one.");
    }
}
