package outbox.testkit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import outbox.EventEnvelope;
import outbox.EventListener;

/** Records what it was given. Fails once per given failure, then succeeds. */
public final class RecordingListener implements EventListener {

    private final List<EventEnvelope> events = new CopyOnWriteArrayList<>();
    private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

    public RecordingListener failingWith(Exception... next) {
        failures.addAll(List.of(next));
        return this;
    }

    @Override
    public void onEvent(EventEnvelope event) throws Exception {
        events.add(event);
        Exception failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
    }

    public List<EventEnvelope> events() {
        return List.copyOf(events);
    }

    public List<String> ids() {
        return events.stream().map(EventEnvelope::eventId).toList();
    }
}
