package catbox.server.api;

import catbox.server.pulse.LiveFigures;
import catbox.server.pulse.Pulses;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import outbox.spi.TimeSource;

/**
 * Sends pulses as server-sent events. Each subscriber has a thread and a short queue: one that reads slowly misses pulses
 * and delays no other.
 */
final class PulseStreams implements SmartLifecycle {

    private static final int STREAMS_MAX = 100;

    /** A user has a few windows open, and a program needs one. */
    private static final int STREAMS_OF_ONE_MAX = 10;

    private static final int QUEUE_MAX = 64;

    /** Browsers reconnect automatically, and are authenticated again. */
    private static final Duration DURATION_MAX = Duration.ofMinutes(10);

    private static final Duration RECONNECT_AFTER = Duration.ofSeconds(1);

    private final Pulses pulses;
    private final Duration durationMax;
    private final TimeSource time;
    private final Set<Stream> streams = new HashSet<>(); // guarded by itself
    private volatile boolean running; // written by Spring's thread

    PulseStreams(Pulses pulses) {
        this(pulses, DURATION_MAX, TimeSource.SYSTEM);
    }

    PulseStreams(Pulses pulses, Duration durationMax, TimeSource time) {
        this.pulses = pulses;
        this.durationMax = durationMax;
        this.time = time;
    }

    SseEmitter open(String user) {
        return added(user).open();
    }

    private Stream added(String user) {
        synchronized (streams) {
            if (!running) {
                throw tooMany(HttpStatus.SERVICE_UNAVAILABLE, "the server is stopping");
            }
            long own = streams.stream().filter(each -> each.user.equals(user)).count();
            if (own >= STREAMS_OF_ONE_MAX) {
                throw tooMany(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "one user may have " + STREAMS_OF_ONE_MAX + " streams, and " + user
                                + " has as many: close one, or use /api/pulse");
            }
            if (streams.size() >= STREAMS_MAX) {
                throw tooMany(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "there are " + STREAMS_MAX + " streams already; use /api/pulse");
            }
            Stream stream = new Stream(user);
            streams.add(stream);
            return stream;
        }
    }

    private static ProblemException tooMany(HttpStatus status, String detail) {
        return new ProblemException(ProblemDocument.of(status, "too-many-streams", detail));
    }

    private final class Stream {

        private final String user;
        private final SseEmitter emitter = new SseEmitter(0L); // The thread ends it, not a time-out of the container.
        private final BlockingQueue<LiveFigures> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
        private final Thread thread = Thread.ofVirtual().name("catbox-stream").unstarted(this::run);
        private final AtomicBoolean ended = new AtomicBoolean();
        private final Runnable unwatch = pulses.watch(queue::offer);

        Stream(String user) {
            this.user = user;
        }

        SseEmitter open() {
            emitter.onCompletion(this::end);
            emitter.onError(failure -> end());
            thread.start();
            return emitter;
        }

        private void run() {
            try {
                send();
                emitter.complete();
            } catch (IOException gone) {
                // The client has disconnected, as most streams end. Spring informs the container.
            } catch (InterruptedException e) {
                emitter.complete(); // By end().
            } catch (RuntimeException e) {
                emitter.completeWithError(e); // Otherwise the request would stay open.
            } finally {
                end();
            }
        }

        private void send() throws IOException, InterruptedException {
            long from = time.nanoTime();
            // At once, so that the client knows that it is connected, and when to reconnect after the end.
            emitter.send(
                    SseEmitter.event().reconnectTime(RECONNECT_AFTER.toMillis()).comment("pulses follow"));
            for (long left = durationMax.toNanos(); left > 0; left = durationMax.toNanos() - (time.nanoTime() - from)) {
                LiveFigures pulse = queue.poll(left, TimeUnit.NANOSECONDS);
                if (pulse != null) {
                    emitter.send(SseEmitter.event().name("pulse").data(pulse, MediaType.APPLICATION_JSON));
                }
            }
        }

        /** Any number of calls, from any thread, end it once. */
        private void end() {
            if (ended.compareAndSet(false, true)) {
                unwatch.run();
                synchronized (streams) {
                    streams.remove(this);
                }
                thread.interrupt();
            }
        }
    }

    // ---- stops before the web server waits for requests in flight -------------------------------------------------

    @Override
    public void start() {
        pulses.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        pulses.close();
        List<Stream> open;
        synchronized (streams) { // A stream that is added later finds that this has stopped.
            open = List.copyOf(streams);
        }
        open.forEach(Stream::end);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
