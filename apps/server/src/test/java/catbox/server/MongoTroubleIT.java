package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.mongodb.MongoSchema;

/** A source whose MongoDB cannot be worked on is told, does not stop the server, and is taken up when it can. */
class MongoTroubleIT {

    private static MongoDb mongo;

    @TempDir
    Path folder;

    private TestCollection orders;

    @BeforeAll
    static void open() {
        TestCollection.requireServer();
        mongo = MongoDbServer.start();
    }

    @AfterAll
    static void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @BeforeEach
    void begin() {
        orders = new TestCollection(mongo.uri(), "orders");
        orders.database().drop();
    }

    @AfterEach
    void end() {
        orders.close();
    }

    // ---- while the server runs -----------------------------------------------------------------------------------

    @Test
    void waitsForAMongoDbThatIsDownAtTheStartAndGoesOnAfterItWasGone() throws Exception {
        mongo.stop();
        try (TestServer server = TestServer.start(folder, yaml(mongo.uri(), "schema: install"))) {
            assertThat(server.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
            assertThat(server.awaitHealth("readiness", "cannot be reached"))
                    .contains("see whether it runs", "\"DOWN\"");

            mongo.start();
            server.awaitReady();
            publish(0);
            orders.awaitDone(1);

            mongo.kill();
            server.awaitHealth("sources/orders/database", "\"DOWN\"");
            mongo.start();
            server.awaitHealth("sources/orders/registry", "\"UP\"");
            publish(1);
            publish(2);
            orders.awaitDone(3);
        }
        // Each for the first time: a repetition is allowed when somebody was gone.
        assertThat(Files.readString(folder.resolve("out.jsonl"))
                        .lines()
                        .map(line -> line.replaceAll(".*\"n\":(\\d+).*", "$1"))
                        .distinct())
                .containsExactly("0", "1", "2");
    }

    private void publish(int n) {
        orders.publish("OrderPlaced", "order-1", "{\"n\":" + n + "}");
    }

    @Test
    void saysThatThePasswordIsWrongAndDoesNotSayIt() throws Exception {
        orders.source()
                .client()
                .getDatabase("admin")
                .runCommand(new Document("createUser", "relay")
                        .append("pwd", "right")
                        .append("roles", List.of(new Document("role", "readWrite").append("db", "orders"))));
        String hosts = "127.0.0.1:" + mongo.port();

        try (TestServer server = TestServer.start(
                folder, yaml("mongodb://" + hosts, "schema: install, user: relay, password: not-it"))) {
            String health = server.awaitHealth("sources/orders/database", "refuses the user");
            assertThat(health).contains("relay", "or the password: check both").doesNotContain("not-it");
        }
        try (TestServer server = TestServer.start(folder, yaml("mongodb://relay:not-it@" + hosts, "schema: install"))) {
            String health = server.awaitHealth("sources/orders/database", "refuses the user");
            assertThat(health).contains("relay", "or the password: check both").doesNotContain("not-it");
        }
        try (TestServer server =
                TestServer.start(folder, yaml("mongodb://" + hosts, "schema: install, user: relay, password: right"))) {
            assertThat(server.awaitReady()).doesNotContain("right");
        }
    }

    // ---- before it runs ------------------------------------------------------------------------------------------

    @Test
    void checksThatCollectionsIndexesAndVersionAreAsTheyHaveToBe() throws Exception {
        assertThat(check("schema: install"))
                .contains("source orders: ok, mongodb://127.0.0.1:" + mongo.port())
                .contains("collection outbox_event of database orders is missing or old, and will be installed");
        assertThat(orders.database().listCollectionNames()).isEmpty();
        assertThat(check("schema: check"))
                .contains("source orders: FAILED", "has no document about outbox_event", "schema: install");

        new MongoSchema(orders.source()).install();
        assertThat(check("schema: check"))
                .contains("source orders: ok", "collection outbox_event of database orders, partitioned");
        assertThat(check("partitions: 12")).contains("source orders: FAILED", "has 6 partitions");

        orders.database().getCollection("outbox_event").dropIndexes();
        assertThat(check("schema: check")).contains("source orders: FAILED", "lacks the indexes", "schema: install");

        new MongoSchema(orders.source()).install();
        orders.database().getCollection("outbox_meta").updateOne(Filters.empty(), Updates.set("schemaVersion", 0));
        assertThat(check("schema: check")).contains("source orders: FAILED", "is of version 0", "schema: install");
    }

    @Test
    void checksThatItIsAReplicaSet() throws Exception {
        try (MongoDb alone = MongoDbServer.startStandalone()) {
            assertThat(checked(yaml(alone.uri(), "schema: install")))
                    .contains("source orders: FAILED", "belongs to no replica set", "rs.initiate()");
            assertThat(checked(yaml("mongodb://127.0.0.1:" + alone.port() + "/?replicaSet=r", "schema: install")))
                    .contains("source orders: FAILED", "cannot be reached", "replicaSet in the url");
        }
    }

    private String check(String setting) throws IOException {
        return checked(yaml(mongo.uri(), setting));
    }

    private String checked(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("check.yaml"), yaml);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CatboxServer.run(
                new String[] {"--check", "--config", file.toString()},
                new PrintStream(out, true, StandardCharsets.UTF_8),
                System.err);
        return out.toString(StandardCharsets.UTF_8);
    }

    private String yaml(String url, String settings) {
        return """
                server: { port: 0 }
                sources:
                  orders: { url: '%s', mongo-database: orders, connect-timeout: 2s, %s }
                destinations:
                  archive: { kind: file, path: %s }
                """.formatted(url, settings, folder.resolve("out.jsonl"));
    }
}
