package catbox.bench.own;

import catbox.bench.contender.Contender;
import catbox.bench.contender.Host;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Place;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import outbox.spi.SettleRequest.DoneRows;

/** Runs the contender that the variant names. */
public final class OwnContenders {

    // Referenced here, because the logging framework forgets the level of an unreferenced logger.
    private static final Logger OUTBOX_LOG = Logger.getLogger("outbox");

    private OwnContenders() {}

    public static void main(String[] args) {
        OUTBOX_LOG.setLevel(Level.SEVERE);
        Host.run(args, OwnContenders::make);
    }

    private static Contender make(Place place) throws SQLException {
        OutboxTable table = new OutboxTable(place);
        return switch (place.variant()) {
            case "catbox" -> new CatboxRelay(table, place, DoneRows.KEEP, false);
            case "catbox-delete" -> new CatboxRelay(table, place, DoneRows.DELETE, false);
            case "catbox-transactional" -> new CatboxRelay(table, place, DoneRows.KEEP, true);
            case "catbox-dispatcher" -> new CatboxDispatcher(table, place);
            case "hand-overlapping-update" -> draining(table, new OverlappingLoop(table, sender(place), DoneRows.KEEP));
            case "hand-overlapping-delete" ->
                draining(table, new OverlappingLoop(table, sender(place), DoneRows.DELETE));
            case "hand-waiting-update" -> draining(table, new WaitingLoop(table, sender(place), DoneRows.KEEP));
            case "hand-waiting-delete" -> draining(table, new WaitingLoop(table, sender(place), DoneRows.DELETE));
            case "hand-database-update" -> draining(table, new DatabaseLoop(table, DoneRows.KEEP));
            case "hand-database-delete" -> draining(table, new DatabaseLoop(table, DoneRows.DELETE));
            case "hand-kafka" -> draining(table, new KafkaLoop(sender(place)));
            case "hand-notify-update" -> byHand(table, new NotifyLoop(table, eagerSender(place), DoneRows.KEEP));
            case "hand-notify-delete" -> byHand(table, new NotifyLoop(table, eagerSender(place), DoneRows.DELETE));
            case "direct" -> byHand(table, new DirectSend(eagerSender(place)));
            case "raw-insert" -> byHand(table, new NoLoop(table));
            case "textbook" -> byHand(table, new TextbookPoller(table, eagerSender(place), 2_000));
            case "textbook-eager" -> byHand(table, new TextbookPoller(table, eagerSender(place), 0));
            default -> throw new IllegalArgumentException("unknown variant \"" + place.variant() + "\"");
        };
    }

    private static Contender byHand(OutboxTable table, Loop loop) {
        return new ByHand(table, loop);
    }

    private static Contender draining(OutboxTable table, DrainOnce.Drainer variant) {
        return new ByHand(table, new DrainOnce(variant));
    }

    private static KafkaSender sender(Place place) {
        return new KafkaSender(place, 5);
    }

    private static KafkaSender eagerSender(Place place) {
        return new KafkaSender(place, 0);
    }
}
