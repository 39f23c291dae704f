package catbox.server.api;

import catbox.server.pulse.Pulse;
import catbox.server.pulse.Pulses;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Pulses as server-sent events. Each subscriber has a thread and a few places in a queue: one who reads slowly misses
 * pulses, and holds up nobody.
 */
final class PulseStreams implements SmartLifecycle {

    private static final int STREAMS_MAX = 100;
    private static final int QUEUE_MAX = 64;

    /** Browsers come back by themselves, and are then asked anew who they are. */
    private static final Duration LASTS_MAX = Duration.ofMinutes(10);

    private final Pulses pulses;
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
        this.pulses = pulses;
    }

    SseEmitter open() {
        if (!running || streams.size() >= STREAMS_MAX) {
            throw new TooManyException(
                    running
                            ? "there are " + STREAMS_MAX + " streams already; ask for /api/pulse instead"
                            : "the server is stopping");
        }
        return new Stream().open();
    }

    private final class Stream {

        private final SseEmitter emitter = new SseEmitter(LASTS_MAX.toMillis());
        private final BlockingQueue<Pulse> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
        private final Runnable unwatch = pulses.watch(queue::offer);
        private final Thread thread = Thread.ofVirtual().name("catbox-stream").unstarted(this::send);

        SseEmitter open() {
            streams.add(this);
            emitter.onCompletion(this::end);
            emitter.onTimeout(emitter::complete);
            emitter.onError(failure -> end());
            thread.start();
            return emitter;
        }

        private void send() {
            try {
                // At once, so that the client knows that it is connected.
                emitter.send(SseEmitter.event().comment("pulses follow"));
                while (!Thread.currentThread().isInterrupted()) {
                    emitter.send(SseEmitter.event().name("pulse").data(queue.take(), MediaType.APPLICATION_JSON));
                }
            } catch (IOException | IllegalStateException gone) {
                end(); // The client is not there any more, which is how streams end.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void end() {
            unwatch.run();
            streams.remove(this);
            thread.interrupt();
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
        streams.forEach(stream -> stream.emitter.complete());
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
