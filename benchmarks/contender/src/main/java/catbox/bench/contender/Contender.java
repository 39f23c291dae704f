package catbox.bench.contender;

/** One way to bring events from business transactions into Kafka. Its tables are there once it is made. */
public interface Contender extends AutoCloseable {

    /** Which library in which version with which settings, for people. */
    String settings();

    /** Empties its tables. */
    void clear() throws Exception;

    /** Writes committed events that wait to be delivered, as fast as it can; the relay need not run. */
    void append(EventPlan plan) throws Exception;

    /** Begins to deliver, and tells what has become of it until {@link #stop}. */
    void start(Progress progress) throws Exception;

    /** Delivers no more when it returns. */
    void stop() throws Exception;

    /** One business transaction that publishes nothing. */
    void business(long number) throws Exception;

    /** The same business transaction with one event. */
    void publish(Event event) throws Exception;

    @Override
    void close();
}
