package outbox.kafka;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends without transactions, through one producer at a time. It is replaced when it had to be given up. */
final class StreamSender implements RecordSender {

    private final StreamSession.Parts parts;

    /** Written under this object's monitor. */
    private volatile StreamSession session;

    /** Guarded by this. */
    private int sessions;

    /** Guarded by this. */
    private boolean closed;

    StreamSender(StreamSession.Parts parts) {
        this.parts = parts;
        this.session = next();
    }

    @Override
    public void send(List<PendingRecord> records) {
        StreamSession current = session;
        long now = parts.lookup().time().nanoTime();
        for (KeyRun run : KeyRun.of(records, parts.settings()::mayBeRefused)) {
            current.send(run, now);
        }
    }

    @Override
    public CompletableFuture<Void> warm(List<String> topics) {
        return session.warm(topics);
    }

    private StreamSession next() {
        sessions++;
        // Two producers of the same name would conflict in the JVM's management beans.
        String name = parts.client().clientId();
        return new StreamSession(parts, sessions == 1 ? name : name + "-" + sessions, this::replace);
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
        session.end(parts.failures().unavailable("the destination was closed"));
    }
}
