package catbox.server.web;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;

/**
 * Listens on the server's port until the web server can take it over. Until then liveness is UP, readiness is
 * OUT_OF_SERVICE, and everything else is answered with 503. If the port is taken the start ends here, before any
 * database is contacted.
 */
final class StartupPort implements SmartLifecycle {

    private static final StaticAnswer STARTING =
            StaticAnswer.problem(HttpStatus.SERVICE_UNAVAILABLE, "starting", "the server is starting");

    private final HealthListener listener;
    private volatile boolean closed; // written by Spring's thread
    private volatile @Nullable ApplicationContext application; // written by the thread that starts the application

    StartupPort(String address, int port) {
        this.listener = HealthListener.open(address, port, StartupPort::answer);
    }

    private static StaticAnswer answer(String path) {
        return switch (path) {
            case "/actuator/health/liveness" -> StaticAnswer.json(HttpStatus.OK, "{\"status\":\"UP\"}");
            case "/actuator/health/readiness", "/actuator/health" ->
                StaticAnswer.json(HttpStatus.SERVICE_UNAVAILABLE, "{\"status\":\"OUT_OF_SERVICE\"}");
            default -> STARTING;
        };
    }

    int port() {
        return listener.port();
    }

    /** Sets the application that takes the port over. */
    void setApplication(ApplicationContext context) {
        application = context;
    }

    /** Releases the port. Spring would declare the process alive only after the web server answers. */
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

    /** Starts right before the web server. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }
}
