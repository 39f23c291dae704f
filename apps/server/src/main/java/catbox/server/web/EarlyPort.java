package catbox.server.web;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Has the server's port from its first moment on, and gives it to the web server when that can answer. Until then the
 * process is alive, is not ready, and has nothing else to say. A port that is taken ends the start here, before a database
 * is touched.
 */
final class EarlyPort implements SmartLifecycle {

    private static final HealthListener.Answer STARTING = HealthListener.Answer.problem(
            503,
            "{\"type\":\"/problems/starting\",\"title\":\"Service Unavailable\",\"status\":503,"
                    + "\"detail\":\"the server is starting\"}");

    private final HealthListener listener;
    private volatile boolean closed; // written by Spring's thread
    private volatile @Nullable ApplicationContext application; // written by whoever starts the application

    EarlyPort(String address, int port) {
        this.listener = HealthListener.open(address, port, EarlyPort::answer);
    }

    private static HealthListener.Answer answer(String path) {
        return switch (path) {
            case "/actuator/health/liveness" -> HealthListener.Answer.json(200, "{\"status\":\"UP\"}");
            case "/actuator/health/readiness", "/actuator/health" ->
                HealthListener.Answer.json(503, "{\"status\":\"OUT_OF_SERVICE\"}");
            default -> STARTING;
        };
    }

    int port() {
        return listener.port();
    }

    /** Says which application the port is for. */
    void belongsTo(ApplicationContext context) {
        application = context;
    }

    /** Gives the port away. Spring calls the process alive only a moment after the web server answers. */
    @Override
    public void start() {
        ApplicationContext context = application;
        if (context != null) {
            AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
        }
        stop();
    }

    @Override
    public void stop() {
        closed = true;
        listener.close();
    }

    @Override
    public boolean isRunning() {
        return closed;
    }

    /** Right before the web server. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }
}
