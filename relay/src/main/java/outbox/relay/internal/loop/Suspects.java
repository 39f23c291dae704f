package outbox.relay.internal.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.PartitionStore;

/**
 * Finds the event that ends the process which delivers it. Not for several threads: its slot's loop is the only caller.
 *
 * <pre>
 *   owners of the slot died in a row   what its next owner does
 *   0 or 1                             nothing: every node that is killed leaves a slot like that
 *   2 or more                          it watches: each delivery is written down before it begins, and struck out when it
 *                                      is answered, until it has outlived what its predecessors died of: when it has
 *                                      had as many answers as fit into its memory, and all that it had begun by then
 *                                      is answered too, however slow; or when it has nothing left to do
 *
 *   what is still written down when a node dies was in flight: a suspect
 *                                      it is tried alone on its node; each try is written down before, as one death more;
 *                                      any answer strikes it out; at the limit it is dead instead of tried
 * </pre>
 *
 * <p>So an innocent event counts deaths only while it is the one that is tried, and a poisonous one can take no more than
 * a bounded number of nodes with it. Events that are none of this flow meanwhile.
 *
 * <p>Where rows are claimed by lease the store itself counts, by claims that expired, and gives suspects one at a time.
 * Then only the limit is seen to here.
 */
public final class Suspects {

    /** From this number of deaths in a row on, what happened to the owners may happen to the next. */
    private static final int WATCH_FROM = 2;

    private final LoopContext parts;
    private final PartitionStore store;
    private final OutcomeHandler settling;
    private final Past past;
    private final Runnable waker;

    /** Taken from their lanes, to be tried one after the other. */
    private final Deque<LaneEvent> waiting = new ArrayDeque<>();

    /** Written down, and not answered yet. */
    private final Set<String> begun = new HashSet<>();

    /** Answered, and still written down. */
    private final Set<String> answered = new HashSet<>();

    private @Nullable LaneEvent onTrial;
    private boolean endangered;
    /** How many attempts are to be answered before this owner has outlived its predecessors. */
    private int answersLeft;

    /** Begun while answers were left to wait for, and not answered yet: what its predecessors died of may be among them. */
    private final Set<String> unanswered = new HashSet<>();

    private boolean fenced;

    /**
     * What became of the owners before.
     *
     * @param deaths how many of them in a row had died
     * @param outlived called once when this one has outlived them
     */
    public record Past(int deaths, Runnable outlived) {
        public static final Past NONE = new Past(0, () -> {});
    }

    public Suspects(LoopContext parts, PartitionStore store, OutcomeHandler settling, Past past, Runnable waker) {
        this.parts = parts;
        this.store = store;
        this.settling = settling;
        this.past = past;
        this.waker = waker;
        this.endangered = past.deaths() > 0;
        this.answersLeft = parts.lanes().capacity(); // More than an owner has in flight.
    }

    /** Whether it was found that the slot is another node's. */
    public boolean isFenced() {
        return fenced;
    }

    // ---- before a delivery -----------------------------------------------------------------------------------------

    private enum Treatment {
        TOGETHER,
        ALONE,
        NOT_AT_ALL
    }

    private Treatment treatmentOf(LaneEvent event) {
        int deaths = event.event().deaths();
        if (deaths == 0) {
            return Treatment.TOGETHER;
        }
        if (settling.isDead(event)) {
            return Treatment.NOT_AT_ALL;
        }
        return parts.intake().keepsOrder() ? Treatment.ALONE : Treatment.TOGETHER;
    }

    /**
     * Of what was taken for a destination, gives what may be delivered. Suspects wait to be tried or are dead, and what is
     * behind them in their lanes goes back.
     */
    public List<LaneEvent> sort(List<LaneEvent> taken, String destination) {
        if (taken.stream().allMatch(event -> event.event().deaths() == 0)) {
            return taken;
        }
        List<LaneEvent> together = new ArrayList<>(taken.size());
        List<LaneEvent> dead = new ArrayList<>();
        Set<Integer> lanes = new HashSet<>();
        Set<Integer> stopped = new HashSet<>();
        for (LaneEvent event : taken) {
            Treatment treatment = treatmentOf(event);
            int lane = event.laneId();
            if (stopped.contains(lane) || (treatment != Treatment.TOGETHER && lanes.contains(lane))) {
                stopped.add(lane);
                parts.lanes().putBack(event);
                continue;
            }
            lanes.add(lane);
            switch (treatment) {
                case TOGETHER -> together.add(event);
                case ALONE -> {
                    stopped.add(lane);
                    waiting.addLast(event);
                }
                case NOT_AT_ALL -> {
                    stopped.add(lane);
                    dead.add(event);
                }
            }
        }
        dead.forEach(event -> settling.settleDead(event, destination));
        return together;
    }

    /** The suspect that is to be tried now; null when there is none, or another is being tried. */
    @Nullable
    public LaneEvent next() {
        if (waiting.isEmpty() || onTrial != null || !parts.trial().begin(waker)) {
            return null;
        }
        onTrial = waiting.removeFirst();
        return onTrial;
    }

    /** Has the events written down that are about to be delivered, if they are to be; false when they may not be. */
    public boolean begin(List<LaneEvent> events) {
        boolean mayHaveKilled = endangered && answersLeft > 0;
        boolean isWritten = isWatching() || events.stream().anyMatch(event -> event.equals(onTrial));
        if (!mayHaveKilled && !isWritten) {
            return true;
        }
        Set<String> ids = events.stream().map(event -> event.event().eventId()).collect(Collectors.toSet());
        if (mayHaveKilled) {
            unanswered.addAll(ids);
        }
        if (!isWritten) {
            return true;
        }
        if (!mark(ids)) {
            return false;
        }
        begun.addAll(ids);
        if (onTrial != null && ids.contains(onTrial.event().eventId())) {
            parts.around()
                    .listener()
                    .on(new RelayEvent.SuspectTried(
                            onTrial.event().eventId(), onTrial.event().deaths()));
        }
        return true;
    }

    private boolean isWatching() {
        return endangered && past.deaths() >= WATCH_FROM;
    }

    private boolean mark(Set<String> ids) {
        if (!store.mark(parts.hold(), new HashSet<>(answered), ids)) {
            fenced = true;
            return false;
        }
        answered.clear();
        return true;
    }

    /** An event was not delivered after all, and goes back to its lane. */
    public void putBack(LaneEvent event) {
        isOver(event);
        parts.lanes().putBack(event);
    }

    // ---- after it --------------------------------------------------------------------------------------------------

    /** An answer of any kind: the process has survived the event. */
    public void answered(DeliveryResult completion) {
        isOver(LaneEvent.of(completion));
        answersLeft -= completion.isAttempted() ? 1 : 0;
    }

    private void isOver(LaneEvent event) {
        unanswered.remove(event.event().eventId());
        if (begun.remove(event.event().eventId())) {
            answered.add(event.event().eventId());
        }
        if (event.equals(onTrial)) {
            end();
        }
    }

    /** Nothing more is tried here. */
    public void end() {
        if (onTrial != null) {
            onTrial = null;
            parts.trial().end();
        }
    }

    /** Strikes out what was answered, so that a node which is killed meanwhile is not counted against it. */
    public void strikeOut(boolean idle) {
        if (!answered.isEmpty() && !mark(Set.of())) {
            return;
        }
        boolean outlived = answersLeft <= 0 && unanswered.isEmpty();
        if (endangered && (outlived || idle)) {
            past.outlived().run();
            endangered = false;
        }
    }
}
