package outbox.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.mongodb.internal.driver.MongoFailure;
import outbox.mongodb.internal.event.Field;
import outbox.spi.TimeSource;
import outbox.spi.relay.WakeUp;
import outbox.spi.relay.WakeUpChannel;

/**
 * Receives wake-ups from a change stream of inserted events. Every commit appears there, whichever program made it, so
 * nothing has to be sent. The stream shows what a majority has, and so does a relay's next read.
 *
 * <p>The driver resumes a stream automatically after a failover. If it gives up, or if the stream ends because its
 * collection was dropped or renamed, {@link #receive} throws, and the caller polls and waits before it calls again.
 * That call continues where the last stream ended. If the server can no longer do that, a new stream begins, and the
 * first wake-up received is {@link WakeUp#ANY}, because events may have been missed.
 */
public final class MongoWakeUpChannel implements WakeUpChannel {

    /** More lanes than this are reported as "any", which costs the receiver about the same. */
    private static final int LANES_MAX = 1_000;

    /** How long the server waits for events before it returns none. */
    private static final Duration SLICE = Duration.ofMillis(200);

    private final MongoSource source;
    private final TimeSource time;
    private final Object lock = new Object();

    /** Guarded by the lock, because a driver's cursor serves one thread at a time. */
    private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream;

    /** Guarded by the lock: where the last stream ended; null when a new one must start from now. */
    private @Nullable BsonDocument position;

    private volatile boolean closed;

    public MongoWakeUpChannel(MongoSource source) {
        this(source, TimeSource.SYSTEM);
    }

    /** The time only decides how long a call waits. */
    MongoWakeUpChannel(MongoSource source, TimeSource time) {
        this.source = source;
        this.time = time;
    }

    /** Does nothing, because the commit itself appears in the stream. */
    @Override
    public void send(WakeUp wakeUp) {}

    @Override
    public List<WakeUp> receive(Duration atMost) throws InterruptedException {
        long start = time.nanoTime();
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for wake-ups");
            }
            List<WakeUp> received = receiveSome();
            if (!received.isEmpty() || time.nanoTime() - start >= atMost.toNanos()) {
                return received;
            }
        }
    }

    private List<WakeUp> receiveSome() throws InterruptedException {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("the wake-up channel is closed");
            }
            try {
                boolean startsFromNow = stream == null && position == null;
                MongoChangeStreamCursor<ChangeStreamDocument<Document>> from = stream == null ? open() : stream;
                List<WakeUp> received = startsFromNow ? List.of(WakeUp.ANY) : read(from);
                position = from.getResumeToken();
                if (received.isEmpty() && from.getServerCursor() == null) {
                    throw ended();
                }
                return received;
            } catch (MongoInterruptedException e) {
                drop();
                Thread.interrupted(); // Cleared, because the exception reports it.
                throw new InterruptedException("interrupted while waiting for wake-ups");
            } catch (MongoException e) {
                drop();
                throw MongoFailure.of("listen for wake-ups", e);
            }
        }
    }

    private OutboxException ended() {
        drop();
        position = null;
        return new OutboxException("the outbox could not listen for wake-ups: the change stream of "
                + source.names().event() + " has ended, because the collection was dropped or renamed");
    }

    // Resumes from a position only once: if the server's oplog no longer reaches back to it, it never will again.
    private MongoChangeStreamCursor<ChangeStreamDocument<Document>> open() {
        BsonDocument from = position;
        position = null;
        List<Document> inserts = List.of(
                new Document("$match", new Document("operationType", "insert")),
                new Document("$project", new Document("fullDocument." + Field.KEY_HASH, 1)));
        ChangeStreamIterable<Document> changes =
                source.limited().events().watch(inserts).maxAwaitTime(SLICE.toMillis(), TimeUnit.MILLISECONDS);
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> opened =
                (from == null ? changes : changes.resumeAfter(from)).cursor();
        stream = opened;
        return opened;
    }

    private static List<WakeUp> read(MongoChangeStreamCursor<ChangeStreamDocument<Document>> from) {
        Set<Integer> lanes = new HashSet<>();
        ChangeStreamDocument<Document> change = from.tryNext();
        while (change != null) {
            Document event = change.getFullDocument();
            // Another program may have written anything, or nothing, instead of a hash.
            if (event == null || !(event.get(Field.KEY_HASH) instanceof Integer lane) || lanes.size() == LANES_MAX) {
                return List.of(WakeUp.ANY);
            }
            lanes.add(lane);
            // Only what has arrived already, because asking for more would delay these.
            change = from.available() > 0 ? from.tryNext() : null;
        }
        return lanes.isEmpty() ? List.of() : List.of(new WakeUp(lanes));
    }

    /** Waits for a call in progress, which is short. */
    @Override
    public void close() {
        closed = true;
        synchronized (lock) {
            drop();
        }
    }

    private void drop() {
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> last = stream;
        stream = null; // Before it is closed: that may fail, and a dead one must not stay.
        if (last != null) {
            last.close();
        }
    }
}
