package catbox.bench;

import java.time.Duration;
import java.util.Locale;

/** Processor time of everything that takes part, in nanoseconds: this process, the database, and the broker. */
record CpuTimes(long own, long database, long broker) {

    static CpuTimes now() {
        long database = 0;
        long broker = 0;
        for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
            String command = child.info().command().orElse("");
            if (command.contains("postgres")) {
                database += nanos(child);
            } else if (command.contains("java")) {
                broker += nanos(child);
            }
        }
        return new CpuTimes(nanos(ProcessHandle.current()), database, broker);
    }

    private static long nanos(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    CpuTimes since(CpuTimes before) {
        return new CpuTimes(own - before.own, database - before.database, broker - before.broker);
    }

    CpuTimes plus(CpuTimes other) {
        return new CpuTimes(own + other.own, database + other.database, broker + other.broker);
    }

    /** Formats microseconds per event. */
    String perEvent(long events) {
        return String.format(
                Locale.ROOT,
                "%.0f µs here, %.0f PostgreSQL, %.0f Kafka",
                own / 1e3 / events,
                database / 1e3 / events,
                broker / 1e3 / events);
    }
}
