package catbox.server.api;

import catbox.server.pulse.Pulse;
import catbox.server.pulse.Pulses;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import outbox.util.TimeSource;

/**
 * Pulses as server-sent events. Each subscriber has a thread and a few places in a queue: one who reads slowly misses
 * pulses, and holds up nobody.
 */
final class PulseStreams implements SmartLifecycle {

    private static final int STREAMS_MAX = 100;
    private static final int QUEUE_MAX = 64;

    /** Browsers come back by themselves, and are then asked anew who they are. */
    private static final Duration LASTS_MAX = Duration.ofMinutes(10);

    private static final Duration BACK_AFTER = Duration.ofSeconds(1);

    private final Pulses pulses;
    private final Duration lastsMax;
    private final TimeSource time;
    private final Semaphore places = new Semaphore(STREAMS_MAX);
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean running; // written by Spring's thread

    /** There are as many streams as there may be. */
    static final class TooManyException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyException(String message) {
            super(message);
        }
    }

    PulseStreams(Pulses pulses) {
        this(pulses, LASTS_MAX, TimeSource.SYSTEM);
    }

    PulseStreams(Pulses pulses, Duration lastsMax, TimeSource time) {
        this.pulses = pulses;
        this.lastsMax = lastsMax;
        this.time = time;
    }

    SseEmitter open() {
        if (!places.tryAcquire()) {
            throw new TooManyException("there are " + STREAMS_MAX + " streams already; ask for /api/pulse instead");
        }
        Stream stream = new Stream();
        streams.add(stream);
        if (!running) { // Asked after it was added: who stops ends those that are there.
            stream.end();
            throw new TooManyException("the server is stopping");
        }
        return stream.open();
    }

    private final class Stream {

        private final SseEmitter emitter = new SseEmitter(0L); // It ends by itself, not by a time-out of the container.
        private final BlockingQueue<Pulse> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
        private final Thread thread = Thread.ofVirtual().name("catbox-stream").unstarted(this::run);
        private final AtomicBoolean ended = new AtomicBoolean();
        private final Runnable unwatch = pulses.watch(queue::offer);

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
                // The client is not there any more, which is how most streams end. Spring tells the container.
            } catch (InterruptedException e) {
                emitter.complete(); // Somebody ended it.
            } catch (RuntimeException e) {
                emitter.completeWithError(e); // Else the request would stay open; one that has ended stays as it is.
            } finally {
                end();
            }
        }

        private void send() throws IOException, InterruptedException {
            long from = time.nanoTime();
            // At once, so that the client knows that it is connected, and when to come back after the end.
            emitter.send(SseEmitter.event().reconnectTime(BACK_AFTER.toMillis()).comment("pulses follow"));
            for (long left = lastsMax.toNanos(); left > 0; left = lastsMax.toNanos() - (time.nanoTime() - from)) {
                Pulse pulse = queue.poll(left, TimeUnit.NANOSECONDS);
                if (pulse != null) {
                    emitter.send(SseEmitter.event().name("pulse").data(pulse, MediaType.APPLICATION_JSON));
                }
            }
        }

        /** However often, and by whomever, it is ended. */
        private void end() {
            if (ended.compareAndSet(false, true)) {
                unwatch.run();
                streams.remove(this);
                places.release();
                thread.interrupt();
            }
        }
    }

    // ---- ends before the web server waits for requests under way
    // ------------------------------------------------------

    @Override
    public void start() {
        pulses.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        pulses.close();
        streams.forEach(Stream::end);
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
