package catbox.livedemo;

import catbox.devservices.DevServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Kills the relay and later Kafka, as {@code kill -9} does, and restarts them after a while. */
final class Breakdowns {

    private final Console console;
    private final Duration part;
    private final CountDownLatch stop;

    /**
     * Schedules breakdowns in a run of this length.
     *
     * @param stop ends the waiting, so that nothing more is killed
     */
    Breakdowns(Console console, Duration runTime, CountDownLatch stop) {
        this.console = console;
        this.part = runTime.dividedBy(6);
        this.stop = stop;
    }

    /** Returns when both run again, within four sixths of the run's time if they start at once. */
    void happen(DevServer relay, DevServer kafka) throws InterruptedException {
        if (restsOnePart()) {
            happen("the relay", relay);
        }
        if (restsOnePart()) {
            happen("Kafka", kafka);
        }
    }

    private void happen(String name, DevServer server) throws InterruptedException {
        console.step("!! " + name + " is killed (kill -9); orders continue");
        server.kill();
        boolean goesOn = restsOnePart();
        if (goesOn) {
            console.step("!! " + name + " is started again");
            server.start();
            console.step("!! " + name + " is back");
        }
    }

    private boolean restsOnePart() throws InterruptedException {
        return !stop.await(part.toMillis(), TimeUnit.MILLISECONDS);
    }
}
