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
 * Stands before a destination and knows its outages: of all of it, and of single addresses. While there is one, a delivery
 * is refused at once, so that it takes no worker's time; one at a time is let through as a probe, at growing intervals. Any
 * answer about an event ends the outage; one about an address does not.
 */
final class OutageGate {

    private static final Duration NOTHING_ASKED = Duration.ZERO;
    /** Events of further addresses that are unavailable wait too, but each of them is tried. */
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
     * A delivery that was let through.
     *
     * @param probed the outages that it is the probe of
     * @param deliveredBefore how many others had been delivered when it began
     */
    record Pass(String address, Probed probed, long deliveredBefore) {}

    /** The outages that a delivery is the probe of. */
    record Probed(@Nullable Outage ofAll, @Nullable Outage ofAddress) {}

    /**
     * Lets a delivery through.
     *
     * @throws DestinationUnavailableException when there is an outage and it is no time to probe
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
                    place(address) + " is unavailable, not tried again yet: " + outage.error(), outage.refuse(now));
        }
    }

    /** Takes the outcome of a delivery that was let through; gives the outcome that counts, and when to try again. */
    synchronized Outcome leave(Pass pass, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Delivered one -> {
                delivered++;
                yield answered(pass, one);
            }
            case Outcome.Rejected
                    rejected -> { // Perhaps refused before anything was sent: it says nothing about an outage.
                release(pass);
                yield rejected;
            }
            case Outcome.Retryable retryable when !retryable.unanswered() -> answered(pass, retryable);
            // While others are delivered, it is the event's own fault that it gets no answer.
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
            log.works(place(pass.address()));
        }
        return outcome;
    }

    private void allAnswers() {
        if (ofAll != null) {
            ofAll = null;
            log.works(place(""));
        }
    }

    private Outcome allUnavailable(Pass pass, String error, @Nullable Duration asked) {
        Outage probedAddress = pass.probed().ofAddress();
        if (probedAddress != null) {
            probedAddress.giveProbeBack();
        }
        ofAll = failed(ofAll, pass.probed().ofAll(), error, orNothing(asked), "");
        return new Outcome.Unavailable(error, Outcome.Unavailable.Scope.DESTINATION, ofAll.untilProbe(time.nanoTime()));
    }

    // A transport may know of the address from before, and ask nobody: this is no answer, and another event has to
    // probe.
    private Outcome addressUnavailable(Pass pass, String error, @Nullable Duration asked) {
        Outage probed = pass.probed().ofAll();
        if (probed != null) {
            probed.giveProbeBack();
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
            log.failed(place(address), error);
            return new Outage(error, asked, time.nanoTime());
        }
        // One that was let through before the outage began says nothing about when to probe.
        if (known == probed) {
            log.failed(place(address), error);
            known.probeFailed(error, asked, time.nanoTime());
        }
        return known;
    }

    private static void release(Pass pass) {
        Outage all = pass.probed().ofAll();
        if (all != null) {
            all.giveProbeBack();
        }
        Outage address = pass.probed().ofAddress();
        if (address != null) {
            address.giveProbeBack();
        }
    }

    private String place(String address) {
        return address.isEmpty() ? "destination " + destination : "address " + address + " of " + destination;
    }

    private static Duration orNothing(@Nullable Duration asked) {
        return Objects.requireNonNullElse(asked, NOTHING_ASKED);
    }
}
