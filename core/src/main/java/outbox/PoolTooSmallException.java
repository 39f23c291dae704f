package outbox;

/** The connection pool cannot serve as many workers as were asked for. */
public final class PoolTooSmallException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public PoolTooSmallException(int connections, int workers) {
        super("the connection pool has at most " + connections + " connection(s) for " + workers
                + " dispatcher worker(s): listeners that use the same pool would wait for each other for ever."
                + " Allow at least " + (workers + 2)
                + " connections (workers + 2), or set dispatcherWorkers to at most "
                + connections + ".");
    }
}
