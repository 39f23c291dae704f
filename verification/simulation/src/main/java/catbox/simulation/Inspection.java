package catbox.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.testkit.SimulatedStore;
import outbox.testkit.StoreFixture.FailedAttempt;

/** Looks, when all is over, whether anything was lost, stuck, given up or counted wrongly, and whether it is quiet. */
final class Inspection {

    private static final Duration REPARTITIONS = Duration.ofSeconds(60);
    private static final Duration SETTLES_DOWN = Duration.ofSeconds(15);
    private static final Duration WATCH = Duration.ofSeconds(20);
    private static final double CALLS_PER_SECOND_MAX = 3.2;

    private final World world;
    private final SimulatedStore store;
    private final Ledger ledger;
    private final Scenario scenario;

    Inspection(SimulatedNode.Shared shared) {
        this.world = shared.world();
        this.store = shared.store();
        this.ledger = shared.ledger();
        this.scenario = shared.scenario();
    }

    void checkEvents() {
        for (Ledger.Entry entry : ledger.committedEntries()) {
            OutboxEvent event = store.operatorStore().find(entry.id).orElse(null);
            checkStatus(entry, event == null ? EventStatus.DONE : event.status());
            if (!entry.replayed) {
                checkAttempts(entry, event);
            }
        }
        boolean mayDuplicate = scenario.faults().mayDuplicate() || !scenario.keepsOrder() || ledger.wasLeaseLost();
        if (!mayDuplicate && ledger.duplicates() > 0) {
            world.violation("duplicates: " + ledger.duplicates() + ", and nothing happened that excuses them");
        }
    }

    private void checkStatus(Ledger.Entry entry, EventStatus status) {
        switch (status) {
            case DONE -> {
                if (entry.isMissingAnywhere()) {
                    world.violation("lost: " + entry + " is done and was delivered " + entry.deliveries + " times");
                } else if (entry.isUntriedSinceItsReplay()) {
                    world.violation("replay undone: " + entry + " is done, and no destination was given it");
                }
            }
            case DEAD -> {
                boolean mayBeDead = ledger.wasRejected(entry.id)
                        || scenario.mayDieOfItsProcess(entry.id)
                        || entry.mayCount >= scenario.attemptsMax();
                if (!mayBeDead) {
                    world.violation("dead: " + entry + " was given up, was never rejected, and failed at most "
                            + entry.mayCount + " times");
                }
            }
            case NEW, RETRY ->
                world.violation("stuck: " + entry + " is still " + status + " after a long calm, delivered "
                        + entry.deliveries + " times");
        }
    }

    private void checkAttempts(Ledger.Entry entry, @Nullable OutboxEvent event) {
        List<FailedAttempt> recorded = store.failedAttempts(entry.id);
        for (int i = 0; i < recorded.size(); i++) {
            if (recorded.get(i).attempt() != i + 1) {
                world.violation("attempts: " + entry + " has " + recorded);
                return;
            }
        }
        if (event != null && event.attempts() != recorded.size()) {
            world.violation("attempts: " + entry + " counts " + event.attempts() + ", and recorded are " + recorded);
        }
        if (recorded.size() > entry.mayCount) {
            world.violation("attempts: of " + entry + " " + recorded.size() + " are counted, and only " + entry.mayCount
                    + " could be its own: " + recorded);
        }
    }

    /** With nothing to do, nodes hold nothing and leave the store alone. */
    void watchIdle(Fleet fleet) {
        // The partitions may yet be counted anew, when the last who crashed with a slot has expired.
        world.runUntil(world.elapsed().plus(REPARTITIONS), () -> !isRepartitioning(fleet));
        world.runUntil(world.elapsed().plus(SETTLES_DOWN), () -> false);
        List<SimulatedNode> watched = fleet.alive();
        long before = calls(watched);
        world.runUntil(world.elapsed().plus(WATCH), () -> false);
        double perSecond = (double) (calls(watched) - before) / watched.size() / WATCH.toSeconds();
        if (perSecond > CALLS_PER_SECOND_MAX) {
            world.violation(String.format(
                    Locale.ROOT, "not quiet: %.1f calls per second and node with nothing to do", perSecond));
        }
        for (SimulatedNode node : watched) {
            int events = node.relay().eventsInMemory();
            if (events > 0) {
                world.violation("not quiet: " + node.name() + " still holds " + events + " events");
            }
        }
    }

    private static boolean isRepartitioning(Fleet fleet) {
        return fleet.alive().stream()
                .flatMap(node -> node.relay().view().stream())
                .anyMatch(view -> view.partitionsWanted() != null);
    }

    private static long calls(List<SimulatedNode> nodes) {
        return nodes.stream().mapToLong(node -> node.line().calls()).sum();
    }
}
