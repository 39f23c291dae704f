package catbox.bench.own;

import catbox.bench.contender.Business;
import catbox.bench.contender.Contender;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Progress;
import java.sql.SQLException;

/** A hand-written loop on the same table as Catbox. */
record ByHand(OutboxTable table, Loop loop) implements Contender {

    @Override
    public String settings() {
        return loop.settings();
    }

    @Override
    public void clear() throws SQLException {
        table.clear();
    }

    @Override
    public void append(EventPlan plan) throws SQLException {
        table.append(plan);
        loop.appended(plan);
    }

    @Override
    public void start(Progress progress) throws Exception {
        loop.start(progress);
    }

    @Override
    public void stop() throws Exception {
        loop.stop();
    }

    @Override
    public void business(long number) throws SQLException {
        Business.transaction(table.dataSource(), conn -> Business.insertOrder(conn, number));
    }

    @Override
    public void publish(Event event) throws SQLException {
        Business.transaction(table.dataSource(), conn -> {
            Business.insertOrder(conn, event.number());
            loop.inside(conn, event);
        });
        loop.committed(event);
    }

    @Override
    public void close() {
        loop.close();
        table.close();
    }
}
