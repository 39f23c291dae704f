package outbox.jdbc.internal.sql;

/**
 * A lock that belongs to a connection and ends with it, as the SQL of one database.
 *
 * @param take a query that takes the lock of the session which is its parameter, and does not wait; gives the server,
 *     or null when another connection has the lock. A server that was restarted is another server
 * @param server gives the server as an expression
 * @param isFree gives a condition, by the column of the session; evaluating it must not disturb the lock's owner
 * @param release a query that releases the lock of the session which is its parameter
 */
public record ConnectionLock(String take, String server, String isFree, String release) {

    /**
     * The condition that the lock which a node's row speaks of is free by now. It says nothing where the row speaks of no
     * lock, as rows of older versions do, or of another server: after a restart or a failover every lock is free.
     */
    public String hasEnded(String lockServer, String session) {
        return "CASE WHEN " + lockServer + " = " + server + " THEN CASE WHEN " + isFree.formatted(session)
                + " THEN 1 ELSE 0 END ELSE 0 END";
    }
}
