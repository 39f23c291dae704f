package catbox.bench.own;

import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import java.sql.SQLException;

/** The part of a hand-written program that does not store events. */
interface Loop extends AutoCloseable {

    String settings();

    /** Describes the backlog, before {@link #start}. */
    void appended(EventPlan plan);

    void start(Progress progress) throws Exception;

    void stop() throws Exception;

    /** Stores the event within the business transaction. */
    void inside(Connection conn, Event event) throws SQLException;

    /** Runs after the commit. */
    void committed(Event event);

    @Override
    void close();
}
