package outbox.spi;

import java.time.Instant;
import java.time.InstantSource;

/** The two clocks of this library: wall time for people, monotonic time for deadlines. Tests provide their own. */
public interface TimeSource extends InstantSource {

    /** Monotonic nanoseconds; only differences mean anything. */
    long nanoTime();

    /** The machine's clocks. The only place of the library that reads them. */
    TimeSource SYSTEM = new TimeSource() {
        @Override
        public Instant instant() {
            return Instant.now();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    };
}
