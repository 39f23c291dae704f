package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes, destinations and pauses follow the file while the server works. */
class ReloadIT {

    private static int databases;

    @TempDir
    Path folder;

    private DatabaseServer postgres;
    private String url;
    private TestTable table;

    @BeforeEach
    void open() {
        postgres = DevServices.postgres();
        url = postgres.createDatabase("reload_" + ++databases);
        table = new TestTable(postgres, url, "outbox_event");
    }

    @Test
    void followsDestinationsAndRoutes() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("first", ""))) {
            server.awaitReady();
            table.publish("A", "k", "{\"n\":1}");
            table.awaitDone(1);

            server.rewrite(yaml("second", ""));
            HttpResponse<String> answer = server.post("/reload");
            assertThat(answer.body()).isEqualTo("{\"reloaded\":true,\"complaints\":[]}");

            table.publish("A", "k", "{\"n\":2}");
            table.awaitDone(2);
            assertThat(written("first")).contains("{\"n\":1}").doesNotContain("{\"n\":2}");
            assertThat(written("second")).contains("{\"n\":2}");
            assertThat(server.health("destinations/orders"))
                    .contains("\"second\"")
                    .doesNotContain("\"first\"");
        }
    }

    @Test
    void followsPauses() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("first", "paused: true"))) {
            server.awaitReady();
            table.publish("A", "k", "{}");
            assertThat(server.health("destinations/orders/first")).contains("\"paused\":true");
            assertThat(written("first")).isEmpty();

            server.rewrite(yaml("first", "paused: false"));
            assertThat(server.post("/reload").statusCode()).isEqualTo(200);
            table.awaitDone(1);
        }
    }

    @Test
    void changesNothingWhenTheFileIsWrong() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("first", ""))) {
            server.awaitReady();
            server.rewrite(yaml("second", "deadlin: 5s"));

            HttpResponse<String> answer = server.post("/reload");
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).contains("unknown settings [deadlin]", "line 8");

            table.publish("A", "k", "{}");
            table.awaitDone(1);
            assertThat(written("first")).contains("\"type\":\"A\"");
        }
    }

    @Test
    void refusesWhatNeedsARestart() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("first", ""))) {
            server.awaitReady();
            server.rewrite(yaml("second", "").replace("schema: install", "schema: install\n    partitions: 12"));

            HttpResponse<String> answer = server.post("/reload");
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).contains("source orders was changed, which needs a restart");
            assertThat(server.health("destinations/orders")).contains("\"first\"");
        }
    }

    @Test
    void isNotToldByAPageInABrowser() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("first", ""))) {
            assertThat(server.post("/reload", "Origin", "https://example.com").statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void throughAProxyItIsToldByAnAdminAlone() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("first", "") + TestAccess.yaml())) {
            for (String header : new String[] {"X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"}) {
                assertThat(server.post("/reload", header, "127.0.0.1").statusCode())
                        .describedAs(header)
                        .isEqualTo(403);
            }
            assertThat(reload(server, "operator")).isEqualTo(403);
            assertThat(reload(server, "guessed")).isEqualTo(401);
            assertThat(reload(server, "admin")).isEqualTo(200);
        }
    }

    @Test
    void whereTheFileNamesAProxyNobodyIsTakenToBeHere() throws Exception {
        String yaml = yaml("first", "") + TestAccess.yaml() + "  public-url: https://catbox.example.com\n";
        try (TestServer server = TestServer.start(folder, yaml)) {
            HttpResponse<String> answer = server.post("/reload");
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("a token with the role admin");
            assertThat(reload(server, "admin")).isEqualTo(200);
        }
    }

    private static int reload(TestServer server, String token) throws Exception {
        return server.post("/reload", "X-Forwarded-For", "127.0.0.1", "Authorization", "Bearer " + token)
                .statusCode();
    }

    @Test
    void watchesTheFileWhenItIsToldTo() throws Exception {
        String watching = yaml("first", "").replace("port: 0", "port: 0, reload-on-change: true");
        try (TestServer server = TestServer.start(folder, watching)) {
            server.awaitReady();
            server.rewrite(watching.replace("first", "second"));
            server.awaitHealth("destinations/orders", "\"second\"");
        }
    }

    private String written(String destination) throws Exception {
        return Files.readString(folder.resolve(destination));
    }

    private String yaml(String destination, String setting) {
        return """
                server: { port: 0 }
                sources:
                  orders:
                    url: %s
                    user: postgres
                    schema: install
                destinations:
                  %s: { kind: file, path: %s, %s }
                """.formatted(url, destination, folder.resolve(destination), setting);
    }
}
