package catbox.simulation;

import java.time.Duration;
import java.util.List;
import outbox.relay.SettleConfig.OnDeadEvent;
import outbox.spi.relay.ClaimStrategy;

/**
 * What kind of run a seed is.
 *
 * @param strategy the strategy at the beginning; those with partitions replace each other during the run
 * @param knowsHorizon whether the store knows up to where no event will become visible any more
 * @param replays whether the operator replays dead events
 * @param sequencesReset whether the numbers of events go back
 * @param drift how much faster or slower than the store's clock the monotonic clocks of nodes may be, as a part of one
 * @param isPatient whether destinations are unavailable for longer than all attempts at an event take together
 * @param isTight whether payloads are large next to the memory, and few lanes are remembered
 * @param routes where events of each type go
 * @param poisonous whether some events end every process that delivers them
 */
record Scenario(
        Faults faults,
        ClaimStrategy strategy,
        boolean knowsHorizon,
        boolean replays,
        boolean sequencesReset,
        OnDeadEvent onDeadEvent,
        double drift,
        boolean isPatient,
        boolean isTight,
        Routes routes,
        boolean poisonous) {

    private static final int POISONED = 60;

    /** Nodes stop a tenth of their time-out early, so a clock may be slower by nearly a tenth. */
    private static final double DRIFT_MAX = 0.09;

    private static final int ATTEMPTS_MAX = 1_000;
    private static final int ATTEMPTS_MAX_IF_PATIENT = 4;
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(5);
    private static final Duration BACKOFF_MAX_IF_PATIENT = Duration.ofSeconds(2);

    /** @param isShort whether what is rare has to happen oftener */
    static Scenario of(long seed, World world, boolean isShort) {
        Faults usual = List.of(Faults.HARSH, Faults.GENTLE, Faults.NETWORK, Faults.DEATH)
                .get((int) Math.floorMod(seed, 4L));
        boolean isPatient = world.chance(0.25);
        Faults one = isPatient && usual.equals(Faults.GENTLE) ? Faults.NONE : usual;
        Faults faults = isShort ? one.inShort() : one;
        return new Scenario(
                faults,
                world.chance(0.12) ? ClaimStrategy.LEASE : ClaimStrategy.PARTITIONED,
                world.chance(0.7),
                world.chance(0.4),
                world.chance(0.15),
                world.chance(0.3) ? OnDeadEvent.PAUSE_KEY : OnDeadEvent.CONTINUE,
                world.chance(0.5) ? DRIFT_MAX : 0,
                isPatient,
                !one.equals(Faults.NONE) && world.chance(0.15),
                world.chance(0.6) ? Routes.one() : Routes.several(world),
                faults.crash() > 0 && seed / 4 % 3 == 0); // Not by chance, which would change every other run.
    }

    /** Whether this event, by its number, ends every process that delivers it. */
    boolean isPoison(String eventId) {
        return poisonous && Integer.parseInt(eventId.substring(1)) % POISONED == POISONED / 2;
    }

    /**
     * Whether an event may be dead because its process ended too often. Of claims by lease only their end is seen, so an
     * innocent event that was in flight with several poisonous ones may be among them.
     */
    boolean mayDieOfItsProcess(String eventId) {
        return isPoison(eventId) || (poisonous && strategy == ClaimStrategy.LEASE);
    }

    int attemptsMax() {
        return isPatient ? ATTEMPTS_MAX_IF_PATIENT : ATTEMPTS_MAX;
    }

    Duration backoffMax() {
        return isPatient ? BACKOFF_MAX_IF_PATIENT : BACKOFF_MAX;
    }

    /** How long it takes at most until an event that fails each time is given up. */
    Duration retriesTake() {
        return backoffMax().multipliedBy(attemptsMax());
    }

    /** Whether nothing goes wrong but outages, so that nothing excuses a delay. */
    boolean demandsPatience() {
        return faults.equals(Faults.NONE);
    }

    /** How many events a node keeps: so few that memory is full now and then, except where that would be an excuse. */
    int eventsMax() {
        return demandsPatience() ? 600 : 60;
    }

    /** How many events of a key may wait in memory. */
    int eventsPerLaneMax() {
        return isTight ? 3 : 1_000;
    }

    /** How many keys of a partition may wait outside of it. */
    int lanesSkippedMax() {
        return isTight ? 2 : 10_000;
    }

    boolean keepsOrder() {
        return strategy.usesPartitions();
    }
}
