package catbox.simulation;

import catbox.simulation.World.SimulatedCrash;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import outbox.internal.KeyHash;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/** A destination that refuses, dawdles, forgets to answer, answers twice, or delivers and says that it did not. */
final class SimulatedDestination implements Destination {

    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final double REJECTS = 0.1;
    private static final double SAYS_NOTHING = 0.6;
    private static final int BAD_ONE_IN = 30;

    private final String name;
    private final World world;
    private final SimulatedNode node;
    private final Ledger ledger;
    private final Scenario scenario;
    private final Witness witness;
    private final Outage outage;
    private final DestinationTraits traits;
    /** Any attempt may end without an answer then, and be counted. */
    private final boolean mayFreeze;
    /** One event that can never be delivered spoils a call of several, and is refused only when it is sent alone. */
    private final boolean spoils;

    SimulatedDestination(SimulatedNode node, SimulatedNode.Shared shared, Outage outage) {
        this.name = outage.destination;
        this.mayFreeze = shared.scenario().faults().freeze() > 0;
        this.world = shared.world();
        this.node = node;
        this.ledger = shared.ledger();
        this.scenario = shared.scenario();
        this.witness = shared.witness();
        this.outage = outage;
        this.spoils = shared.scenario().faults().delivery() > 0 && world.chance(0.3);
        this.traits = traitsByLot(shared.scenario().isTight());
    }

    private DestinationTraits traitsByLot(boolean isTight) {
        DestinationTraits traits = world.chance(0.5)
                ? DestinationTraits.streaming()
                : DestinationTraits.requestResponse().withEventsPerKeyMax(world.random.nextInt(1, 6));
        return traits.withKeysInFlightMax(world.random.nextInt(1, 12))
                .withEventsInFlightMax(world.random.nextInt(1, 40))
                .withBytesInFlightMax(isTight ? world.random.nextInt(1, 300_000) : traits.bytesInFlightMax());
    }

    @Override
    public DestinationTraits traits() {
        return traits;
    }

    @Override
    public String addressOf(Delivery delivery) {
        return Outage.addressOf(keyOrId(delivery));
    }

    private static String keyOrId(Delivery delivery) {
        return Objects.requireNonNullElse(
                delivery.event().orderingKey(), delivery.event().eventId());
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        if (node.isDead()) {
            throw new SimulatedCrash();
        }
        for (Delivery delivery : deliveries) {
            String id = delivery.event().eventId();
            witness.begins(node.name(), id, keyOrId(delivery));
            witness.goesTo(node.name(), id, name);
            ledger.tried(id);
            if (scenario.isPoison(id)) {
                mayCount(delivery); // When it is given up, as its last attempt.
                node.crash();
                throw new SimulatedCrash();
            }
        }
        if (traits.keysPerCallMax() == 1) {
            attempt(deliveries, 0, receipt);
        } else {
            attemptEach(deliveries, receipt);
        }
    }

    private void attemptEach(List<Delivery> deliveries, Receipt receipt) {
        for (int i = 0; i < deliveries.size(); i++) {
            try {
                attempt(deliveries.subList(i, i + 1), i, receipt);
            } catch (IllegalStateException thrown) {
                deliveries.forEach(this::mayCount); // None of them has been answered yet.
                throw thrown;
            }
        }
    }

    /** One attempt at events that arrive in order or not at all. */
    private void attempt(List<Delivery> deliveries, int first, Receipt receipt) {
        Duration arrives = world.millis(0, 20);
        Duration answers =
                arrives.plus(world.millis(1, 20)); // Never at the same instant: an answer follows what it answers.
        if (mayFreeze) {
            deliveries.forEach(this::mayCount);
        }
        if (outage.isUnavailable()) {
            answer(answers, deliveries, first, receipt, unavailable(Scope.DESTINATION));
        } else if (outage.isUnavailable(addressOf(deliveries.get(0)))) {
            answer(answers, deliveries, first, receipt, unavailable(Scope.ADDRESS));
        } else if (outage.isDown) {
            mayCount(deliveries.get(0));
            if (outage.isHonest || !world.chance(SAYS_NOTHING)) {
                answer(answers, deliveries, first, receipt, new Outcome.Retryable("down", null));
            }
        } else if (spoils && deliveries.stream().anyMatch(SimulatedDestination::isBad)) {
            spoil(deliveries, first, receipt, answers);
        } else if (!world.chance(outage.failures)) {
            arrive(arrives, deliveries);
            answer(answers, deliveries, first, receipt, DELIVERED);
        } else {
            fail(deliveries, first, receipt, arrives, answers);
        }
    }

    private static boolean isBad(Delivery delivery) {
        return KeyHash.of(delivery.event().eventId()) % BAD_ONE_IN == 0;
    }

    private void spoil(List<Delivery> deliveries, int first, Receipt receipt, Duration answers) {
        mayCount(deliveries.get(0));
        if (deliveries.size() == 1) {
            ledger.rejected(deliveries.get(0).event().eventId());
            answer(answers, deliveries, first, receipt, new Outcome.Rejected("can never be delivered"));
        } else {
            witness.reached(Reached.SPOILED_CALL);
            answer(answers, deliveries, first, receipt, new Outcome.Retryable("one of them is refused", null));
        }
    }

    private Outcome unavailable(Scope scope) {
        return new Outcome.Unavailable("unavailable", scope, world.chance(0.2) ? world.millis(1, 1_000) : null);
    }

    /** Of events that go together the first one has failed, and those behind it are not counted. */
    private void mayCount(Delivery delivery) {
        ledger.mayCount(delivery.event().eventId());
    }

    private void fail(List<Delivery> deliveries, int first, Receipt receipt, Duration arrives, Duration answers) {
        mayCount(deliveries.get(0));
        if (deliveries.size() > 1) {
            witness.reached(Reached.FAILED_TOGETHER);
        }
        Outcome refused = new Outcome.Retryable("refused", world.chance(0.2) ? world.millis(1, 3_000) : null);
        if (world.chance(REJECTS)) {
            deliveries.forEach(each -> ledger.rejected(each.event().eventId()));
            deliveries.forEach(this::mayCount);
            answer(answers, deliveries, first, receipt, new Outcome.Rejected("rejected"));
            return;
        }
        switch (outage.isHonest ? 1 : world.random.nextInt(8)) {
            case 0 -> throw new IllegalStateException("thrown by the destination");
            case 1, 2 -> answer(answers, deliveries, first, receipt, refused);
            case 3 -> { // delivered, and said not to be
                arrive(arrives, deliveries);
                answer(answers, deliveries, first, receipt, refused);
            }
            case 4 -> arrive(arrives, deliveries); // delivered, and never answered
            case 5 -> { // answered long after the deadline, and arrived then too
                Duration late = world.millis(1_000, 8_000);
                arrive(late, deliveries);
                answer(late.plusMillis(1), deliveries, first, receipt, DELIVERED);
            }
            case 6 -> { // answered twice, differently
                arrive(arrives, deliveries);
                answer(answers, deliveries, first, receipt, DELIVERED);
                answer(answers.plusMillis(5), deliveries, first, receipt, refused);
            }
            default -> world.note(node.name(), "loses", deliveries.size() + " event(s) in flight");
        }
    }

    // What is on the wire arrives even if its sender is dead by then.
    private void arrive(Duration delay, List<Delivery> deliveries) {
        List<String> ids =
                deliveries.stream().map(each -> each.event().eventId()).toList();
        world.in(delay, null, () -> ids.forEach(id -> ledger.delivered(id, name, node.name())));
    }

    private void answer(Duration delay, List<Delivery> deliveries, int first, Receipt receipt, Outcome outcome) {
        int count = deliveries.size();
        world.in(delay, node, () -> {
            for (int i = 0; i < count; i++) {
                receipt.report(first + i, outcome);
            }
        });
    }

    @Override
    public void close() {}
}
