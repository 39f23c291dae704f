package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.spi.operations.Finding;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * More keys of one partition wait for an address than the node can remember. On PostgreSQL that takes a million: it reads
 * from the horizon on, and so never meets the rows of skipped keys again. MariaDB has no horizon.
 */
class FullPartitionIT {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .build();

    @TempDir
    Path folder;

    @Test
    void isFoundByTheDoctorUntilTheAddressIsRepaired() throws Exception {
        DatabaseServer database = DevServices.mariaDb();
        String url = database.createDatabase("full_partition");
        AtomicInteger answer = new AtomicInteger(404);
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(answer.get(), -1);
            exchange.close();
        });
        receiver.start();
        try (TestServer server = TestServer.start(folder, """
                        server: { port: 0 }
                        sources:
                          orders: { url: '%s', user: '%s', schema: install, partitions: 1, memory-events-max: 1000 }
                        destinations:
                          web:
                            kind: http
                            base-url: 'http://127.0.0.1:%d'
                            allow-private-addresses: true
                        routes:
                          - { name: all, to: web/nowhere }
                        """.formatted(
                                url, database.user(), receiver.getAddress().getPort()));
                Caller viewer = Caller.withToken(server, "viewer")) {
            server.awaitReady();
            new TestTable(database, url, "outbox_event")
                    .publishAll(IntStream.range(0, 12_000)
                            .mapToObj(n -> EventEnvelope.builder("OrderPlaced")
                                    .orderingKey("key-" + n)
                                    .payloadJson("{}")
                                    .build())
                            .toList());

            Finding full = Eventually.value(
                    "the doctor finds it",
                    () -> partitionFull(viewer).stream().findFirst().orElse(null));
            assertThat(full.severity()).isEqualTo(Finding.Severity.ERROR);
            assertThat(full.evidence()).matches("partition 0: \\d{5} keys wait, many of them for web/nowhere");

            answer.set(200);
            Eventually.happens(
                    "the doctor finds it no more", () -> partitionFull(viewer).isEmpty());
        } finally {
            receiver.stop(0);
        }
    }

    private static List<Finding> partitionFull(Caller viewer) throws Exception {
        List<Finding> all = JSON.readerForListOf(Finding.class)
                .readValue(viewer.get("/api/sources/orders/doctor").body());
        return all.stream().filter(each -> each.code().equals("partition-full")).toList();
    }
}
