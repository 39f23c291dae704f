package catbox.bench.own;

import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import java.sql.SQLException;

/** What a hand-written program does beside storing events. */
interface Loop extends AutoCloseable {

    String settings();

    /** What there is to be drained, before {@link #start}. */
    void appended(EventPlan plan);

    void start(Progress progress) throws Exception;

    void stop() throws Exception;

    /** Stores the event within the business transaction. */
    void inside(Connection conn, Event event) throws SQLException;

    /** Runs when it has committed. */
    void committed(Event event);

    @Override
    void close();
}
