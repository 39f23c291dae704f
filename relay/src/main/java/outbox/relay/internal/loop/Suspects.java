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

/**
 * Finds the event that ends the process which delivers it. Not thread-safe: the partition's loop is the only caller.
 *
 * <pre>
 *   owners that died in a row          what the next owner does
 *   0 or 1                             nothing: every node that is killed leaves its partitions like that
 *   2 or more                          it watches: it marks each event in the store before the delivery, and removes the
 *                                      mark with the answer, until it has outlived its predecessors: when it has had as
 *                                      many answers as fit into its memory, and everything that it had begun by then is
 *                                      answered too, however slow; or when it has nothing left to do
 *
 *   an event that is still marked when a node dies was in flight: a suspect
 *                                      it is tried alone on its node, and counts one death more before each try; any
 *                                      answer removes the mark; at the limit it is dead without another try
 * </pre>
 *
 * <p>So an innocent event counts deaths only while it is the one that is tried, and a poisonous event can end no more than a
 * bounded number of nodes. All other events flow meanwhile.
 *
 * <p>Where rows are claimed by lease, the store counts the claims that expired, and gives suspects one at a time. Then only
 * the limit is enforced here.
 */
public final class Suspects {

    /** From this number of deaths in a row on, the owner watches. */
    private static final int WATCH_FROM = 2;

    private final LoopContext context;
    private final OutcomeHandler outcomes;
    private final Past past;

    /** Suspects that were taken from their lanes, to be tried one after the other. */
    private final Deque<LaneEvent> waiting = new ArrayDeque<>();

    /** Marked, and not answered yet. */
    private final Set<String> marked = new HashSet<>();

    /** Answered, and still marked. */
    private final Set<String> answered = new HashSet<>();

    private @Nullable LaneEvent current;
    private boolean endangered;
    /** How many attempts have to be answered before this owner has outlived its predecessors. */
    private int answersLeft;

    /** Begun before that, and not answered yet: the event that ended its predecessors may be among them. */
    private final Set<String> unanswered = new HashSet<>();

    private boolean fenced;

    /**
     * What became of the owners before.
     *
     * @param deaths how many of them in a row died
     * @param outlived called once when this owner has outlived them
     */
    public record Past(int deaths, Runnable outlived) {
        public static final Past NONE = new Past(0, () -> {});
    }

    Suspects(LoopContext context, OutcomeHandler outcomes) {
        this.context = context;
        this.outcomes = outcomes;
        this.past = context.owner().past();
        this.endangered = past.deaths() > 0;
        this.answersLeft = context.lanes().memory().capacity(); // More than an owner has in flight.
    }

    /** Whether another node owns the partition. */
    boolean isFenced() {
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
     * Returns those of the events that may be delivered. Suspects wait to be tried or are dead, and the events behind them
     * return to their lanes.
     */
    List<LaneEvent> sort(List<LaneEvent> taken, String destination) {
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
    LaneEvent next() {
        if (waiting.isEmpty()
                || current != null
                || !context.node().suspectLock().tryLock(context.node().waker())) {
            return null;
        }
        current = waiting.removeFirst();
        return current;
    }

    /** Marks the events that are about to be delivered, if necessary; false when they may not be delivered. */
    boolean begin(List<LaneEvent> events) {
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
        if (!context.owner().store().mark(context.owner().ownership(), new HashSet<>(answered), ids)) {
            fenced = true;
            return false;
        }
        answered.clear();
        return true;
    }

    /** An event was not delivered after all, and returns to its lane. */
    void putBack(LaneEvent event) {
        finished(event);
        context.lanes().putBack(event);
    }

    // ---- after it --------------------------------------------------------------------------------------------------

    /** An answer of any kind: the process has survived the event. */
    void answered(DeliveryResult result) {
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

    /** Ends the try of a suspect. */
    void end() {
        if (current != null) {
            current = null;
            context.node().suspectLock().unlock();
        }
    }

    /** Removes the marks of what was answered, so that the death of this node is not counted against it. */
    void strikeOut(boolean idle) {
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
