package outbox.relay.internal.node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.model.Pauses;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Pause;

/** Reads what is paused, and passes it to the loops and the gates. The assignment is the only caller of most methods. */
final class PauseLoader {

    private final ClusterStore store;
    private final RelayContext relay;
    private final OwnedPartitions running;
    private final AtomicLong readsBegun = new AtomicLong();

    /** What this node's own configuration has paused. Written by any thread. */
    private volatile List<Pause> ownPauses = List.of();

    /** Written by the assignment; read by any thread. */
    private volatile Pauses pauses = Pauses.NONE;

    private long version = -1;
    private List<Pause> ownPausesRead = List.of();

    PauseLoader(ClusterStore store, RelayContext relay, OwnedPartitions running) {
        this.store = store;
        this.relay = relay;
        this.running = running;
    }

    /** Replaces what this node's configuration pauses. Any thread. */
    void pause(List<Pause> configured) {
        ownPauses = List.copyOf(configured);
    }

    /** What is paused. Any thread. */
    Pauses pauses() {
        return pauses;
    }

    /** The number of the latest read that was begun. Any thread. */
    long readsBegun() {
        return readsBegun.get();
    }

    /** Reads the pauses if they have changed. */
    void load(ClusterView view) {
        Collection<DestinationGate> gates = relay.gates().all(); // First: a gate is added after its pauses were set.
        List<Pause> configured = ownPauses;
        if (view.pausesVersion() != version || !configured.equals(ownPausesRead)) {
            read(configured);
            version = view.pausesVersion();
            ownPausesRead = configured;
        }
        // Each time, since gates may have been added. A gate that is new lets nothing through before this.
        for (DestinationGate gate : gates) {
            boolean paused = pauses.isDestinationPaused(gate.name());
            if (paused && !gate.isPaused()) {
                gate.pause();
            } else if (!paused && gate.isPaused()) {
                gate.resume();
            }
        }
    }

    /** Reads the pauses although the view does not show a change. */
    void readAgain() {
        read(ownPausesRead);
    }

    private void read(List<Pause> configured) {
        long generation = readsBegun.incrementAndGet();
        List<Pause> all = new ArrayList<>(configured);
        all.addAll(store.pauses()); // After the node's own pauses, so that an operator's reason is the one that counts.
        Pauses loaded = Pauses.of(generation, all);
        publish(pauses, loaded);
        pauses = loaded;
        running.all().forEach(each -> each.loop().apply(loaded));
    }

    private void publish(Pauses before, Pauses after) {
        for (Pause.Subject subject : before.subjects()) {
            if (after.of(subject).isEmpty()) {
                relay.listener().on(new RelayEvent.Resumed(subject));
            }
        }
        for (Pause.Subject subject : after.subjects()) {
            if (before.of(subject).isEmpty()) {
                after.of(subject).ifPresent(pause -> relay.listener().on(new RelayEvent.Paused(pause)));
            }
        }
    }
}
