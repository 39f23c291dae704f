package catbox.server.web;

import catbox.server.engine.Engine;
import org.springframework.context.SmartLifecycle;

/** Drains the engine before the web server stops, so that its health can be queried until the end. */
final class EngineLifecycle implements SmartLifecycle {

    private final Engine engine;
    private volatile boolean running; // written by Spring's thread

    EngineLifecycle(Engine engine) {
        this.engine = engine;
    }

    @Override
    public void start() {
        running = true; // The engine was started before, in parallel to the web application.
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

    /** Starts last and stops first. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
