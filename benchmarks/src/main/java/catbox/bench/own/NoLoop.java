package catbox.bench.own;

import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import java.sql.SQLException;

/** Only the INSERT, as the minimum cost of publishing. */
record NoLoop(OutboxTable table) implements Loop {

    @Override
    public String settings() {
        return "by hand: one INSERT into Catbox's table, nothing delivered";
    }

    @Override
    public void appended(EventPlan plan) {}

    @Override
    public void start(Progress progress) {}

    @Override
    public void stop() {}

    @Override
    public void inside(Connection conn, Event event) throws SQLException {
        table.insert(conn, event);
    }

    @Override
    public void committed(Event event) {}

    @Override
    public void close() {}
}
