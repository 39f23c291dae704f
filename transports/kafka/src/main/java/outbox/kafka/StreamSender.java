package outbox.kafka;

import java.util.List;
import outbox.util.TimeSource;

/** The ordinary mode: one producer after another, the next when one has to be given up. */
final class StreamSender implements RecordSender {

    private final ClientProperties client;
    private final Failures failures;
    private final TopicLookup lookup;
    private final TimeSource time;

    /** Written under this object's monitor. */
    private volatile StreamSession session;

    /** Guarded by this. */
    private int sessions;

    /** Guarded by this. */
    private boolean closed;

    StreamSender(ClientProperties client, Failures failures, TopicLookup lookup, TimeSource time) {
        this.client = client;
        this.failures = failures;
        this.lookup = lookup;
        this.time = time;
        this.session = next();
    }

    @Override
    public void send(List<Parcel> parcels) {
        StreamSession current = session;
        long now = time.nanoTime();
        for (Run run : Run.of(parcels)) {
            current.send(run, now);
        }
    }

    private StreamSession next() {
        sessions++;
        // Two producers of one name would get into each other's way in the JVM's management beans.
        String id = sessions == 1 ? client.clientId() : client.clientId() + "-" + sessions;
        return new StreamSession(client, id, failures, lookup, this::replace);
    }

    private synchronized void replace(StreamSession ended) {
        if (!closed && session == ended) {
            session = next();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        session.end(failures.place() + ": the destination was closed");
    }
}
