package outbox.spi;

/** Settle: writes what became of events, for dispatchers and relays alike. */
public interface SettleStore {

    /**
     * Writes the items and acknowledgements whose fence holds, and changes nothing about the others, whatever happens
     * meanwhile. Of one request all is written or nothing, except behind {@link SettleRequest.Fence.Tokens}, where a store
     * may write each item alone. A request that is written twice changes nothing the second time.
     *
     * <p>An event that is settled has no deaths any more. A failure that counts is recorded with its node, its destination
     * and its error.
     */
    SettleResult settle(SettleRequest request);
}
