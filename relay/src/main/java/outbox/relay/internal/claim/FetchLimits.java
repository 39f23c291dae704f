package outbox.relay.internal.claim;

/**
 * How much is fetched at a time.
 *
 * @param lanesPerFetch lanes that are fetched together
 * @param selfFetchAbove with more events in memory a slot fetches for itself, as much as it has room for
 * @param leftOutMax lanes that are left out are compared with every row, and with more of them each slot does that itself
 * @param prefetchEventsMax so many events are fetched for a slot; where there are more, the slot fetches the rest
 * @param setAsideMax claims of events that could not be taken, kept from being claimed again for a while
 */
public record FetchLimits(
        int lanesPerFetch, int selfFetchAbove, int leftOutMax, int prefetchEventsMax, int setAsideMax) {

    /** As measured. */
    public static final FetchLimits MEASURED = new FetchLimits(100, 200, 50, 50, 10_000);
}
