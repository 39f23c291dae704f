package outbox.registry;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.DestinationUnavailableException;
import outbox.internal.OutageLog;
import outbox.model.Outcome;
import outbox.spi.TimeSource;

/**
 * Tracks the outages of a destination and of its addresses. During an outage it refuses deliveries at once, so that
 * they take no worker's time, and admits one at a time as a probe, at growing intervals. Any answer about an event ends
 * the outage; an answer about an address does not.
 */
final class OutageGate {

    private static final Duration NOTHING_ASKED = Duration.ZERO;
    /** Above this number, each event of another unavailable address is tried. */
    private static final int ADDRESSES_MAX = 1_000;

    private final String destination;
    private final TimeSource time;
    private final OutageLog log;

    // All guarded by this.
    private @Nullable Outage ofAll;
    private final Map<String, Outage> ofAddresses = new HashMap<>();
    private long delivered;

    OutageGate(String destination, TimeSource time) {
        this.destination = destination;
        this.time = time;
        this.log = new OutageLog(System.getLogger(DestinationListener.class.getName()), time);
    }

    /**
     * A delivery that was admitted.
     *
     * @param probed the outages that it probes
     * @param deliveredBefore how many events had been delivered when it began
     */
    record Pass(String address, Probed probed, long deliveredBefore) {}

    /** The outages that a delivery probes. */
    record Probed(@Nullable Outage ofAll, @Nullable Outage ofAddress) {}

    /**
     * Admits a delivery.
     *
     * @throws DestinationUnavailableException during an outage, unless a probe is due
     */
    synchronized Pass enter(String address) {
        long now = time.nanoTime();
        Outage ofAddress = ofAddresses.get(address);
        refuseIn(ofAll, "", now);
        refuseIn(ofAddress, address, now);
        if (ofAll != null) {
            ofAll.beginProbe(now);
        }
        if (ofAddress != null) {
            ofAddress.beginProbe(now);
        }
        return new Pass(address, new Probed(ofAll, ofAddress), delivered);
    }

    private void refuseIn(@Nullable Outage outage, String address, long now) {
        if (outage != null && !outage.admits(now)) {
            throw new DestinationUnavailableException(
                    nameOf(address) + " is unavailable, not tried again yet: " + outage.error(), outage.refuse(now));
        }
    }

    /** Takes the outcome of an admitted delivery; returns the one that counts, with the delay of the next attempt. */
    synchronized Outcome leave(Pass pass, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Delivered one -> {
                delivered++;
                yield answered(pass, one);
            }
            case Outcome.Rejected rejected -> { // It may not have been sent: says nothing about an outage.
                release(pass);
                yield rejected;
            }
            case Outcome.Retryable retryable when !retryable.unanswered() -> answered(pass, retryable);
            // Others were delivered meanwhile, so the missing answer is due to this event.
            case Outcome.Retryable unanswered when delivered > pass.deliveredBefore() -> answered(pass, unanswered);
            case Outcome.Retryable unanswered -> allUnavailable(pass, unanswered.error(), unanswered.after());
            case Outcome.Unavailable unavailable ->
                switch (unavailable.scope()) {
                    case CALL -> {
                        release(pass);
                        yield new Outcome.Unavailable(unavailable.error(), unavailable.scope(), Outage.INTERVAL_MIN);
                    }
                    case ADDRESS -> addressUnavailable(pass, unavailable.error(), unavailable.after());
                    case DESTINATION -> allUnavailable(pass, unavailable.error(), unavailable.after());
                };
        };
    }

    /** For a delivery that ended without an outcome. */
    synchronized void leaveWithoutAnswer(Pass pass) {
        release(pass);
    }

    private Outcome answered(Pass pass, Outcome outcome) {
        allAnswers();
        if (ofAddresses.remove(pass.address()) != null) {
            log.works(nameOf(pass.address()));
        }
        return outcome;
    }

    private void allAnswers() {
        if (ofAll != null) {
            ofAll = null;
            log.works(nameOf(""));
        }
    }

    private Outcome allUnavailable(Pass pass, String error, @Nullable Duration asked) {
        Outage probedAddress = pass.probed().ofAddress();
        if (probedAddress != null) {
            probedAddress.cancelProbe();
        }
        ofAll = failed(ofAll, pass.probed().ofAll(), error, orNothing(asked), "");
        return new Outcome.Unavailable(error, Outcome.Unavailable.Scope.DESTINATION, ofAll.untilProbe(time.nanoTime()));
    }

    // A transport may remember that the address is unavailable and send nothing: this is no answer of the destination,
    // so another event has to probe it.
    private Outcome addressUnavailable(Pass pass, String error, @Nullable Duration asked) {
        Outage probed = pass.probed().ofAll();
        if (probed != null) {
            probed.cancelProbe();
        }
        Outage known = ofAddresses.get(pass.address());
        if (known == null && ofAddresses.size() >= ADDRESSES_MAX) {
            return new Outcome.Unavailable(error, Outcome.Unavailable.Scope.ADDRESS, Outage.INTERVAL_MAX);
        }
        Outage outage = failed(known, pass.probed().ofAddress(), error, orNothing(asked), pass.address());
        ofAddresses.put(pass.address(), outage);
        return new Outcome.Unavailable(error, Outcome.Unavailable.Scope.ADDRESS, outage.untilProbe(time.nanoTime()));
    }

    private Outage failed(
            @Nullable Outage known, @Nullable Outage probed, String error, Duration asked, String address) {
        if (known == null) {
            log.failed(nameOf(address), error);
            return new Outage(error, asked, time.nanoTime());
        }
        // A delivery that was admitted before the outage began does not delay the next probe.
        if (known == probed) {
            log.failed(nameOf(address), error);
            known.probeFailed(error, asked, time.nanoTime());
        }
        return known;
    }

    private static void release(Pass pass) {
        Outage all = pass.probed().ofAll();
        if (all != null) {
            all.cancelProbe();
        }
        Outage address = pass.probed().ofAddress();
        if (address != null) {
            address.cancelProbe();
        }
    }

    private String nameOf(String address) {
        return address.isEmpty() ? "destination " + destination : "address " + address + " of " + destination;
    }

    private static Duration orNothing(@Nullable Duration asked) {
        return Objects.requireNonNullElse(asked, NOTHING_ASKED);
    }
}
