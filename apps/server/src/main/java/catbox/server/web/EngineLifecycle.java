package catbox.server.web;

import catbox.server.engine.Engine;
import org.springframework.context.SmartLifecycle;

/** Drains the engine before the web server stops, so that it can be asked how it is until the end. */
final class EngineLifecycle implements SmartLifecycle {

    private final Engine engine;
    private volatile boolean running; // written by Spring's thread

    EngineLifecycle(Engine engine) {
        this.engine = engine;
    }

    @Override
    public void start() {
        running = true; // The engine was started before, beside the rest.
    }

    @Override
    public void stop() {
        running = false;
        engine.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The last to start and the first to stop. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
