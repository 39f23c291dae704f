package outbox.admin.view;

import org.jspecify.annotations.Nullable;

/**
 * A destination as the asked node sees it.
 *
 * @param breaker closed, open or half open
 * @param underWay events that were handed over and are not answered
 * @param lastError since the last delivery that went well; null for none
 */
public record DestinationView(
        String name,
        String kind,
        String breaker,
        boolean onHold,
        int underWay,
        @Nullable String lastError) {}
