package outbox.spi;

/** A JDBC store for several instances on one table. Its ports state what they promise. */
public interface ClaimingEventStore extends EventStore {

    ClaimStore claims(ConnectionProvider connections);

    SettleStore settlements(ConnectionProvider connections);

    PublishStore publisher(TxContext context);
}
