package catbox.chaos;

import catbox.chaos.Disturbance.Frozen;
import catbox.chaos.Disturbance.Killed;
import catbox.chaos.Disturbance.Outage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Finds the reason for which an event arrived twice. Planned moves are no reason. */
final class Reasons {

    /** Time in which a delivery is settled, unless it is disturbed. */
    private static final long SETTLE = Clock.micros(Duration.ofSeconds(2));
    /** The kill is recorded before it is sent, and the process may live a moment longer. */
    private static final long SIGNAL = Clock.micros(Duration.ofMillis(200));
    /** Time from the last recorded heartbeat until a relay releases a partition on its own. */
    private static final long GIVE_UP = Clock.micros(Duration.ofSeconds(8));

    private final List<Killed> kills;
    private final List<Frozen> freezes;
    private final List<Outage> outages;
    private final List<Entry.Lost> losses;
    private final List<Entry.Released> unfinished;

    Reasons(History history) {
        this.kills = history.disturbancesOf(Killed.class);
        this.freezes = history.disturbancesOf(Frozen.class);
        this.outages = history.disturbancesOf(Outage.class);
        this.losses = history.entriesOf(Entry.Lost.class);
        this.unfinished = history.entriesOf(Entry.Released.class).stream()
                .filter(released -> released.abandoned() > 0)
                .toList();
    }

    /** Returns why it arrived again; empty when there was no reason. */
    Optional<Reason> of(Entry.Arrived before, Entry.Arrived again) {
        if (!before.acknowledged()) {
            return Optional.of(Reason.UNACKNOWLEDGED);
        }
        if (kills.stream().anyMatch(kill -> isAt(kill, before))) {
            return Optional.of(Reason.KILLED);
        }
        if (freezes.stream().anyMatch(freeze -> isAt(freeze, before) || isAt(freeze, again))) {
            return Optional.of(Reason.FROZEN);
        }
        if (outages.stream().anyMatch(outage -> isWithin(before.at(), outage.from() - SETTLE, outage.to() + SETTLE))) {
            return Optional.of(Reason.OUTAGE);
        }
        if (losses.stream().anyMatch(loss -> isAt(loss, before) || isAt(loss, again))) {
            return Optional.of(Reason.LEASE_LOST);
        }
        return unfinished.stream().anyMatch(release -> isAt(release, before))
                ? Optional.of(Reason.DRAIN_OVER)
                : Optional.empty();
    }

    private static boolean isAt(Killed kill, Entry.Arrived arrived) {
        return kill.victim().node().equals(arrived.node())
                && isWithin(arrived.at(), kill.at() - SETTLE, kill.at() + SIGNAL);
    }

    private static boolean isAt(Frozen freeze, Entry.Arrived arrived) {
        return freeze.victim().node().equals(arrived.node())
                && isWithin(arrived.at(), freeze.from() - SETTLE, freeze.to() + SETTLE);
    }

    private static boolean isAt(Entry end, Entry.Arrived arrived) {
        return end.node().equals(arrived.node()) && isWithin(arrived.at(), end.at() - GIVE_UP, end.at() + SETTLE);
    }

    private static boolean isWithin(long at, long from, long to) {
        return from <= at && at <= to;
    }
}
