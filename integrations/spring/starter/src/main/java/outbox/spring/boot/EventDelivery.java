package outbox.spring.boot;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.spi.HotPath;

/** Delivers published events, as {@code outbox.delivery} selects. It can be started again after it was stopped. */
sealed interface EventDelivery permits DispatcherDelivery, RelayDelivery, NoDelivery {

    /** Starts delivery and returns the hot path of committed events, or null when there is none. */
    @Nullable
    HotPath start();

    /** Finishes deliveries in flight within the drain timeout, and releases the rest. */
    void stop();

    /** Describes the current state, without secrets. */
    Map<String, Object> details();

    /** Returns why a started delivery does not deliver, or null when it does. */
    @Nullable
    String problem();

    /** Describes threads that have ended although delivery was not stopped; null for none. */
    static @Nullable String problemOf(List<String> ended) {
        return ended.isEmpty()
                ? null
                : "threads have ended that delivery needs: " + String.join(", ", ended)
                        + "; restart this application, and see its log";
    }
}
