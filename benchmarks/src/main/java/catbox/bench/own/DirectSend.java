package catbox.bench.own;

import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Progress;
import java.sql.Connection;

/** Sends after the commit, stores nothing, and guarantees nothing. */
record DirectSend(KafkaSender sender) implements Loop {

    @Override
    public String settings() {
        return "by hand: a send after the commit, which nothing protects; linger 0";
    }

    @Override
    public void appended(EventPlan plan) {}

    @Override
    public void start(Progress progress) {
        progress.began();
    }

    @Override
    public void stop() {}

    @Override
    public void inside(Connection conn, Event event) {}

    @Override
    public void committed(Event event) {
        var unused = sender.send(event.key(), event.payload(), (metadata, e) -> {});
    }

    @Override
    public void close() {
        sender.close();
    }
}
