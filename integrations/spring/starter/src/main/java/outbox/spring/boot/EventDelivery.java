package outbox.spring.boot;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.spi.HotPath;

/** Who delivers, as {@code outbox.delivery} says. Can be started again after it was stopped. */
sealed interface EventDelivery permits DispatcherDelivery, RelayDelivery, NoDelivery {

    /** Starts, and gives the way that committed events take in memory; null when there is none. */
    @Nullable
    HotPath start();

    /** Finishes what is under way within its time to drain, and gives back the rest. */
    void stop();

    /** What there is to know about it now, without secrets. */
    Map<String, Object> details();

    /** Why it does not deliver although it was started; null when it does. */
    @Nullable
    String complaint();

    /** What to say of threads that have ended although delivery was not stopped; null for none. */
    static @Nullable String complaintOf(List<String> ended) {
        return ended.isEmpty()
                ? null
                : "threads have ended that delivery needs: " + String.join(", ", ended)
                        + "; restart this application, and see its log";
    }
}
