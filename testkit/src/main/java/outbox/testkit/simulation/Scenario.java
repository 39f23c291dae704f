package outbox.testkit.simulation;

import java.util.List;
import outbox.model.ClaimStrategy;
import outbox.relay.settle.SettleConfig.DeadKey;

/**
 * What kind of run a seed is.
 *
 * @param strategy what the run begins with; those with slots are exchanged for each other while it goes on
 * @param tellsHorizon whether the store can tell up to where nothing more will become visible
 * @param replays whether the operator replays dead events
 * @param ways where events of each type go
 */
record Scenario(
        Faults faults, ClaimStrategy strategy, boolean tellsHorizon, boolean replays, DeadKey deadKey, Ways ways) {

    /** @param isShort whether what is rare has to happen oftener */
    static Scenario of(long seed, World world, boolean isShort) {
        Faults usual = List.of(Faults.HARSH, Faults.GENTLE, Faults.NETWORK, Faults.DEATH)
                .get((int) Math.floorMod(seed, 4L));
        Faults faults = isShort ? usual.inShort() : usual;
        return new Scenario(
                faults,
                world.chance(0.12) ? ClaimStrategy.LEASE : ClaimStrategy.PARTITIONED,
                world.chance(0.7),
                world.chance(0.4),
                world.chance(0.3) ? DeadKey.HALT : DeadKey.RELEASE,
                world.chance(0.6) ? Ways.one() : Ways.several(world));
    }

    boolean keepsOrder() {
        return strategy.hasSlots();
    }
}
