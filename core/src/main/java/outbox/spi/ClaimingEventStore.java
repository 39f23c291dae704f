package outbox.spi;

/**
 * A JDBC store for several instances on one table, which gives the ports of each connection source. The ports state what
 * they promise.
 */
public interface ClaimingEventStore extends EventStore {

    ClaimStore claims(ConnectionProvider connections);

    SettleStore settlements(ConnectionProvider connections);

    PublishStore publisher(TxContext context);
}
