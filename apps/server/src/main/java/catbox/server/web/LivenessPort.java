package catbox.server.web;

import org.springframework.boot.health.contributor.Status;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;

/** Serves liveness on a port of its own, from the start of the process to its end. */
final class LivenessPort implements SmartLifecycle {

    private static final StaticAnswer UP = StaticAnswer.json(HttpStatus.OK, "{\"status\":\"UP\"}");
    private static final StaticAnswer DOWN = StaticAnswer.json(HttpStatus.SERVICE_UNAVAILABLE, "{\"status\":\"DOWN\"}");
    private static final StaticAnswer NOT_FOUND =
            StaticAnswer.problem(HttpStatus.NOT_FOUND, "not-found", "this port serves only /actuator/health/liveness");

    private final HealthListener listener;
    private volatile boolean open = true; // written by the thread that stops it

    LivenessPort(String address, int port, ThreadHealth threads) {
        this.listener = HealthListener.open(
                address,
                port,
                path -> path.equals("/actuator/health/liveness")
                        ? threads.health().getStatus().equals(Status.UP) ? UP : DOWN
                        : NOT_FOUND);
    }

    int port() {
        return listener.port();
    }

    @Override
    public void start() {
        // The constructor has opened the port.
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

    /** Stops last. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
