package outbox;

/** The connection pool cannot serve as many workers as were asked for. */
public final class PoolTooSmallException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public PoolTooSmallException(int connections, int workers, int ownConnections) {
        super("the connection pool has at most " + connections + " connection(s) for " + workers
                + " worker(s): listeners could take them all, and claims or heartbeats would be late."
                + " Allow at least " + (workers + ownConnections) + " connections (workers + " + ownConnections
                + "), or set fewer workers.");
    }
}
