package outbox.spring.boot;

import org.springframework.context.SmartLifecycle;

/** Starts delivery when all beans exist; stops it between the web server and the DataSource. */
final class OutboxLifecycle implements SmartLifecycle {

    /**
     * Below the web server's phases, which are 1024 and 2048 below the default: started before it, stopped after it.
     */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private final EventDelivery delivery;
    private final DeferredHotPath hotPath;
    /** Written by the thread that starts and stops the application, read by any. */
    private volatile boolean running;

    OutboxLifecycle(EventDelivery delivery, DeferredHotPath hotPath) {
        this.delivery = delivery;
        this.hotPath = hotPath;
    }

    @Override
    public void start() {
        hotPath.forwardTo(delivery.start());
        running = true;
    }

    @Override
    public void stop() {
        hotPath.forwardTo(null);
        delivery.stop();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
