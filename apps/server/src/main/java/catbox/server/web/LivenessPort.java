package catbox.server.web;

import org.springframework.boot.health.contributor.Status;
import org.springframework.context.SmartLifecycle;

/** Liveness on a port of its own, from the first moment of the process until its last. */
final class LivenessPort implements SmartLifecycle {

    private static final HealthListener.Answer UP = HealthListener.Answer.json(200, "{\"status\":\"UP\"}");
    private static final HealthListener.Answer DOWN = HealthListener.Answer.json(503, "{\"status\":\"DOWN\"}");
    private static final HealthListener.Answer NOTHING_ELSE = HealthListener.Answer.problem(
            404,
            "{\"type\":\"/problems/not-found\",\"title\":\"Not Found\",\"status\":404,"
                    + "\"detail\":\"there is nothing but /actuator/health/liveness on this port\"}");

    private final HealthListener listener;
    private volatile boolean open = true; // written by whoever stops it

    LivenessPort(String address, int port, ThreadHealth threads) {
        this.listener = HealthListener.open(
                address,
                port,
                path -> path.equals("/actuator/health/liveness")
                        ? threads.health().getStatus().equals(Status.UP) ? UP : DOWN
                        : NOTHING_ELSE);
    }

    int port() {
        return listener.port();
    }

    @Override
    public void start() {
        // It has answered since it was made.
    }

    @Override
    public void stop() {
        open = false;
        listener.close();
    }

    @Override
    public boolean isRunning() {
        return open;
    }

    /** The last to stop. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
