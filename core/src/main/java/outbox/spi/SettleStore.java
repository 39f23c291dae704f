package outbox.spi;

/** Writes settlements, for dispatchers and relays alike. */
public interface SettleStore {

    /**
     * Writes the items and acknowledgements that pass the fence, and changes nothing about the others. A request is
     * written whole or not at all, except behind {@link SettleRequest.Fence.Tokens}, where a store may write each item
     * alone. A request that is written twice changes nothing the second time.
     *
     * <p>A settlement resets the deaths of its event. A failure that counts is recorded with its node, its destination
     * and its error.
     */
    SettleResult settle(SettleRequest request);
}
