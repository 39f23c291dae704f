package catbox.bench.contender;

/** Delivers events from business transactions to Kafka. Its tables exist once it is constructed. */
public interface Contender extends AutoCloseable {

    /** Returns the library, its version and its settings, for readers of the report. */
    String settings();

    /** Empties its tables. */
    void clear() throws Exception;

    /** Writes committed events that wait to be delivered, as fast as possible; the relay does not need to run. */
    void append(EventPlan plan) throws Exception;

    /** Begins to deliver, and reports its progress until {@link #stop}. */
    void start(Progress progress) throws Exception;

    /** Returns when delivery has stopped. */
    void stop() throws Exception;

    /** Runs one business transaction that publishes nothing. */
    void business(long number) throws Exception;

    /** Runs the same business transaction with one event. */
    void publish(Event event) throws Exception;

    @Override
    void close();
}
