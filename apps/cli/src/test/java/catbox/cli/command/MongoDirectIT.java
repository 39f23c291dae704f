package catbox.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.cli.connection.Targets;
import catbox.cli.output.Json;
import catbox.devservices.DevServices;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.InsertOneOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.Ulids;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;
import outbox.mongodb.MongoTransactions;
import outbox.mongodb.ThreadLocalMongoTxContext;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import tools.jackson.databind.JsonNode;

/** Commands directly on a MongoDB replica set, without a server. */
class MongoDirectIT {

    private static final String COLLECTION = "shop_event";

    private final TestTerminal terminal = new TestTerminal();
    private final List<String> ids = new ArrayList<>();
    private final String name = "cli_" + Ulids.SYSTEM.next();
    private MongoClient client;
    private MongoDatabase database;

    @BeforeEach
    void open() {
        if (MongoDbServer.givenUri().isEmpty()) {
            MongoDbServer.unavailableReason().ifPresent(why -> {
                System.err.println("!!! SKIPPED: the command line with MongoDB. " + why);
                Assumptions.abort(why);
            });
        }
        client = MongoClients.create(DevServices.mongoDbUri());
        database = client.getDatabase(name);
        terminal.opening = new Targets("anna");
        terminal.environment.put("CATBOX_DATABASE", url(name));
        terminal.environment.put("CATBOX_TABLE", COLLECTION);
    }

    private static String url(String database) {
        return DevServices.mongoDbUri().replaceFirst("/\\?", "/" + database + "?");
    }

    @AfterEach
    void close() {
        if (client != null) {
            database.drop();
            client.close();
        }
    }

    @Test
    void makesTheCollectionsAndWorksOnThem() {
        assertThat(terminal.run("overview").code()).isEqualTo(ExitCode.NOT_POSSIBLE);
        assertThat(does("schema", "migrate", "--yes", "--search-indexes"))
                .contains("collection shop_event", "create the indexes for searches", "Done.");
        assertThat(does("schema", "migrate", "--yes", "--search-indexes")).isEqualTo("There is nothing to do.\n");
        does("schema", "check");

        publishDead(3);
        assertThat(does("status")).containsPattern("dead +3");
        assertThat(does("events", "--type", "OrderPlaced")).contains(ids);
        assertThat(does("dead")).contains("HTTP").contains("OrderPlaced");
        assertThat(does("event", ids.get(0))).containsPattern("state +dead").contains("HTTP 500 of order 0");
        assertThat(terminal.run("doctor", "--json").out())
                .contains("dead-events")
                .doesNotContain("index-missing", "not-readable");

        does("edit", ids.get(0), "--payload", "-", "--reason", "typo", "--yes");
        assertThat(does("reveal", ids.get(0)))
                .contains("{\"n\":99}", "The payload was edited. It was published as:\n{\"n\":0}");
        does("discard", ids.get(1), "--reason", "nobody wants it", "--yes");
        does("dead", "replay", "--error", "HTTP *", "--yes");
        assertThat(does("events", "--state", "pending"))
                .contains(ids.get(0), ids.get(2))
                .doesNotContain(ids.get(1));
        does("pause", "key", "key-2", "--reason", "look");
        assertThat(does("key", "key-2")).contains("by anna: look");
        does("resume", "key", "key-2");
        assertThat(does("purge", "--older-than", "0s", "--yes")).contains("1 event");
        JsonNode audit = Json.MAPPER.readTree(does("audit", "--json"));
        assertThat(audit.findValuesAsString("action")).contains("edit", "discard", "replay", "purge", "reveal");
    }

    @Test
    void aDatabaseThatCannotBeReachedIsSaidSo() {
        terminal.environment.put("CATBOX_DATABASE", "mongodb://127.0.0.1:1/nowhere?serverSelectionTimeoutMS=300");
        assertThat(terminal.run("events").code()).isEqualTo(ExitCode.UNREACHABLE);
    }

    @Test
    void aUserThatIsRefusedIsSaidSo() {
        terminal.environment.put("CATBOX_USER", "stranger");
        terminal.environment.put("CATBOX_PASSWORD", "a p@ss/word");

        TestTerminal.Result refused = terminal.run("events");

        assertThat(refused.code()).describedAs("%s", refused).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).doesNotContain("p@ss");
    }

    /** Every field is missing, or of another type, in turn, past the validator. */
    @Test
    void oddDocumentsAreShownAndTheDoctorNamesThoseThatNoRelayFinds() {
        does("schema", "migrate", "--yes");
        publishDead(1);
        Map<String, Object> plain = plain();
        List<String> odd = new ArrayList<>();
        for (String field : plain.keySet()) {
            if (!field.equals("_id")) {
                odd.add(insertPending(odd.size(), plain, field, null));
                for (Object value : List.of(Map.of("a", 1), List.of(1), 4.5, true, "odd\n'\"<b>")) {
                    odd.add(insertPending(odd.size(), plain, field, value));
                }
            }
        }
        assertThat(odd).hasSizeGreaterThan(60);
        insert(plain, "_id", 7);
        insert(plain, "_id", Map.of("a", 1));

        does("status");
        does("events", "--limit", "200");
        for (String state : List.of("pending", "retry", "dead")) {
            does("events", "--state", state, "--limit", "200");
        }
        does("dead");
        for (String id : odd) {
            assertThat(does("event", id)).contains(id);
            does("event", id, "--json");
        }
        assertThat(terminal.run("doctor").out()).contains("[rows-unreadable]");
        does("dead", "replay", "--error", "HTTP *", "--yes");
        assertThat(does("event", ids.get(0))).containsPattern("state +new");
    }

    /** Maps, as the driver reads and writes them too. */
    @SuppressWarnings("rawtypes")
    private MongoCollection<Map> events() {
        return database.getCollection(COLLECTION, Map.class);
    }

    private Map<String, Object> plain() {
        Map<String, Object> plain = new LinkedHashMap<>();
        Map<?, ?> first = Objects.requireNonNull(events().find().first());
        first.forEach((field, value) -> plain.put(String.valueOf(field), value));
        return plain;
    }

    private String insertPending(int number, Map<String, Object> plain, String field, @Nullable Object value) {
        Map<String, Object> pending = new LinkedHashMap<>(plain);
        pending.put("_id", "odd-" + number);
        pending.put("status", "PENDING");
        insert(pending, field, value);
        return "odd-" + number;
    }

    private void insert(Map<String, Object> plain, String field, @Nullable Object value) {
        Map<String, Object> odd = new LinkedHashMap<>(plain);
        odd.remove(field);
        if (value != null) {
            odd.put(field, value);
        }
        events().insertOne(odd, new InsertOneOptions().bypassDocumentValidation(true));
    }

    private String does(String... arguments) {
        terminal.input = "{\"n\":99}";
        TestTerminal.Result result = terminal.run(arguments);
        assertThat(result.code()).describedAs("%s", result).isZero();
        return result.out();
    }

    private void publishDead(int events) {
        ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        MongoSource source = new MongoSource(client, name, new CollectionNames(COLLECTION));
        OutboxClient outbox = OutboxClient.storeOnly(new MongoStores(source).publishing(context));
        new MongoTransactions(client, context).run(session -> {
            ids.clear();
            for (int n = 0; n < events; n++) {
                ids.add(outbox.publish(EventEnvelope.builder("OrderPlaced")
                        .aggregateId("key-" + n)
                        .payloadJson("{\"n\":" + n + "}")
                        .build()));
            }
        });
        MongoStores stores = new MongoStores(source);
        for (int n = 0; n < events; n++) {
            stores.claims().claimOne(ids.get(n), new ClaimTerms("token", Duration.ofMinutes(1)));
            Settlement dead = new Settlement.Dead(new Claim(ids.get(n), "token"), "HTTP 500 of order " + n);
            stores.settlements()
                    .settle(new SettleRequest(
                            new SettleRequest.Fence.Tokens(),
                            "node-1",
                            List.of(new SettleItem(dead, 0, "there")),
                            SettleRequest.DoneRows.KEEP));
        }
    }
}
