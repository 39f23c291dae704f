package catbox.server.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import outbox.model.Finding;
import outbox.model.FindingCode;
import outbox.relay.Relay;
import outbox.relay.deliver.DestinationGate;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;

/**
 * What is wrong with a source in this process.
 *
 * @param reloadComplaints why the server's file, as it is now, was not taken over; empty when it was
 */
record SourceFindings(Relay relay, SourceWatch watch, SourceDatabase database, List<String> reloadComplaints) {

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>(database.findings());
        relay.gates().all().forEach(gate -> ofDestination(gate).ifPresent(findings::add));
        watch.lastFailure().ifPresent(failure -> findings.add(ofRelay(failure)));
        if (!reloadComplaints.isEmpty()) {
            findings.add(ofReload());
        }
        return findings;
    }

    private Optional<Finding> ofDestination(DestinationGate gate) {
        String error = gate.lastError();
        DestinationTrouble trouble = error == null ? DestinationTrouble.OTHER : DestinationTrouble.of(error);
        if (error != null && trouble != DestinationTrouble.OTHER) {
            return Optional.of(trouble.finding(evidence(gate, error)));
        }
        if (gate.breakerState() != State.CLOSED) {
            return Optional.of(Finding.error(
                    FindingCode.BREAKER_OPEN,
                    "A destination fails for every event, so its breaker is open",
                    evidence(gate, error == null ? "no error was told" : error),
                    "Repair what the error says. Now and then one event goes to try, and once it arrives everything goes"
                            + " on by itself."));
        }
        return error == null ? refused(gate) : Optional.of(trouble.finding(evidence(gate, error)));
    }

    // A transport may take it for final that it is not let in: then events die, and the gate stays open.
    private Optional<Finding> refused(DestinationGate gate) {
        return Optional.ofNullable(watch.destination(gate.name()).lastError())
                .filter(error -> DestinationTrouble.of(error) != DestinationTrouble.OTHER)
                .map(error -> DestinationTrouble.of(error).findingOfTheDead(evidence(gate, error)));
    }

    private static String evidence(DestinationGate gate, String error) {
        return "destination " + gate.name()
                + (gate.breakerState() == State.CLOSED ? "" : ", with its breaker open")
                + ": " + error;
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
