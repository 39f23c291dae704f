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

    private final LoopContext context;
    private final PartitionStore store;
    private final OutcomeHandler outcomes;
    private final Past past;
    private final Runnable waker;

    /** Taken from their lanes, to be tried one after the other. */
    private final Deque<LaneEvent> waiting = new ArrayDeque<>();

    /** Written down, and not answered yet. */
    private final Set<String> marked = new HashSet<>();

    /** Answered, and still written down. */
    private final Set<String> answered = new HashSet<>();

    private @Nullable LaneEvent current;
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

    public Suspects(LoopContext context, PartitionStore store, OutcomeHandler outcomes, Past past, Runnable waker) {
        this.context = context;
        this.store = store;
        this.outcomes = outcomes;
        this.past = past;
        this.waker = waker;
        this.endangered = past.deaths() > 0;
        this.answersLeft = context.lanes().capacity(); // More than an owner has in flight.
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
        if (outcomes.isDead(event)) {
            return Treatment.NOT_AT_ALL;
        }
        return context.claimer().keepsOrder() ? Treatment.ALONE : Treatment.TOGETHER;
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
                context.lanes().putBack(event);
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
        dead.forEach(event -> outcomes.settleDead(event, destination));
        return together;
    }

    /** The suspect that is to be tried now; null when there is none, or another is being tried. */
    @Nullable
    public LaneEvent next() {
        if (waiting.isEmpty() || current != null || !context.suspectLock().tryLock(waker)) {
            return null;
        }
        current = waiting.removeFirst();
        return current;
    }

    /** Has the events written down that are about to be delivered, if they are to be; false when they may not be. */
    public boolean begin(List<LaneEvent> events) {
        boolean watched = endangered && answersLeft > 0;
        boolean mustMark = isWatching() || events.stream().anyMatch(event -> event.equals(current));
        if (!watched && !mustMark) {
            return true;
        }
        Set<String> ids = events.stream().map(event -> event.event().eventId()).collect(Collectors.toSet());
        if (watched) {
            unanswered.addAll(ids);
        }
        if (!mustMark) {
            return true;
        }
        if (!mark(ids)) {
            return false;
        }
        marked.addAll(ids);
        if (current != null && ids.contains(current.event().eventId())) {
            context.relay()
                    .listener()
                    .on(new RelayEvent.SuspectTried(
                            current.event().eventId(), current.event().deaths()));
        }
        return true;
    }

    private boolean isWatching() {
        return endangered && past.deaths() >= WATCH_FROM;
    }

    private boolean mark(Set<String> ids) {
        if (!store.mark(context.ownership(), new HashSet<>(answered), ids)) {
            fenced = true;
            return false;
        }
        answered.clear();
        return true;
    }

    /** An event was not delivered after all, and goes back to its lane. */
    public void putBack(LaneEvent event) {
        finished(event);
        context.lanes().putBack(event);
    }

    // ---- after it --------------------------------------------------------------------------------------------------

    /** An answer of any kind: the process has survived the event. */
    public void answered(DeliveryResult result) {
        finished(LaneEvent.of(result));
        answersLeft -= result.isAttempted() ? 1 : 0;
    }

    private void finished(LaneEvent event) {
        unanswered.remove(event.event().eventId());
        if (marked.remove(event.event().eventId())) {
            answered.add(event.event().eventId());
        }
        if (event.equals(current)) {
            end();
        }
    }

    /** Nothing more is tried here. */
    public void end() {
        if (current != null) {
            current = null;
            context.suspectLock().unlock();
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
