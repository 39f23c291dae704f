package catbox.bench.own;

import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Drains a backlog once and ends. */
final class DrainOnce implements Loop {

    private final Drainer variant;
    private @Nullable EventPlan plan;
    private @Nullable Thread thread;

    /** Drains a backlog. */
    interface Drainer extends AutoCloseable {
        String settings();

        void drain(EventPlan plan, Progress progress) throws Exception;

        @Override
        void close();
    }

    DrainOnce(Drainer variant) {
        this.variant = variant;
    }

    @Override
    public String settings() {
        return variant.settings();
    }

    @Override
    public void appended(EventPlan backlog) {
        plan = backlog;
    }

    @Override
    public void start(Progress progress) {
        EventPlan backlog = Objects.requireNonNull(plan, "nothing is prepared");
        thread = Thread.ofPlatform().name("drain").start(() -> {
            try {
                progress.began();
                variant.drain(backlog, progress);
            } catch (Exception e) {
                // The log shows it, and the benchmark notices that events are missing.
                throw new IllegalStateException(e);
            }
        });
    }

    @Override
    public void stop() throws InterruptedException {
        Objects.requireNonNull(thread, "not started").join();
    }

    @Override
    public void inside(Connection conn, Event event) {
        throw new UnsupportedOperationException("this loop only drains");
    }

    @Override
    public void committed(Event event) {}

    @Override
    public void close() {
        variant.close();
    }
}
