package outbox.mongodb;

import catbox.devservices.DevServices;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A client whose threads stand still at a command of a kind, as those of a frozen process do. */
final class FrozenClient implements AutoCloseable {

    private final CountDownLatch frozen = new CountDownLatch(1);
    private final CountDownLatch thawed = new CountDownLatch(1);
    private final MongoClient client;

    private FrozenClient(Freeze freeze) {
        this.client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(DevServices.mongoDbUri()))
                .addCommandListener(new CommandListener() {
                    private final Set<Integer> meant = ConcurrentHashMap.newKeySet();

                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        if (freeze.isMeant().test(event)) {
                            meant.add(event.getRequestId());
                            standStill(freeze.before());
                        }
                    }

                    @Override
                    public void commandSucceeded(CommandSucceededEvent event) {
                        standStill(!freeze.before() && meant.contains(event.getRequestId()));
                    }
                })
                .build());
    }

    private record Freeze(Predicate<CommandStartedEvent> isMeant, boolean before) {}

    /** Stands still instead of sending such a command. */
    static FrozenClient before(String command) {
        return new FrozenClient(new Freeze(event -> event.getCommandName().equals(command), true));
    }

    /** Stands still when such a command on this collection has been answered. */
    static FrozenClient after(String command, String collection) {
        return new FrozenClient(new Freeze(
                event -> event.getCommandName().equals(command)
                        && isString(event.getCommand().get(command), collection),
                false));
    }

    private static boolean isString(@Nullable BsonValue value, String text) {
        return value != null && value.isString() && value.asString().getValue().equals(text);
    }

    MongoClient client() {
        return client;
    }

    void awaitFrozen() throws InterruptedException {
        if (!frozen.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("the client never came to the command at which it is to stand still");
        }
    }

    void thaw() {
        thawed.countDown();
    }

    private void standStill(boolean here) {
        if (here && thawed.getCount() > 0) {
            frozen.countDown();
            try {
                thawed.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        thaw();
        client.close();
    }
}
