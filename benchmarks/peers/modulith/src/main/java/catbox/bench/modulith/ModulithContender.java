package catbox.bench.modulith;

import catbox.bench.contender.Business;
import catbox.bench.contender.Contender;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Host;
import catbox.bench.contender.Libraries;
import catbox.bench.contender.LongRunning;
import catbox.bench.contender.Place;
import catbox.bench.contender.Progress;
import catbox.bench.spring.SpringBusiness;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.EventExternalized;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.scheduling.annotation.EnableAsync;

/**
 * Stores application events and sends them after the commit, on a thread of the same process; missed events are
 * resubmitted. It keeps no order.
 */
public final class ModulithContender implements Contender {

    private static final int RESUBMIT_BATCH = 1_000;
    private static final int IN_FLIGHT = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Map<String, Object> SETTINGS = Map.of(
            "spring.modulith.events.jdbc.schema-initialization.enabled",
            true,
            "spring.modulith.events.completion-mode",
            "delete",
            "spring.task.execution.pool.core-size",
            16,
            "spring.task.execution.pool.max-size",
            16,
            "spring.kafka.producer.acks",
            "all",
            "spring.kafka.producer.properties.linger.ms",
            0,
            "logging.level.root",
            "warn");

    private final SpringBusiness spring;
    private final IncompleteEventPublications incomplete;
    // Written by the thread that runs the benchmark's commands, read by those that send events.
    private volatile Progress progress = new Progress();
    private @Nullable LongRunning resubmitting;
    private boolean hasBacklog;

    /** The published event. */
    public record OrderPlaced(String key, String payload) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class Application {}

    private ModulithContender(Place place) throws SQLException {
        String topic = place.topic().name();
        Map<String, Object> settings = new HashMap<>(SETTINGS);
        settings.put("spring.kafka.bootstrap-servers", place.topic().bootstrapServers());
        this.spring = new SpringBusiness(Application.class, Business.dataSource(place), settings, beans -> {
            beans.registerBean(EventExternalizationConfiguration.class, () -> externalization(topic));
            beans.addApplicationListener(this::onPublished);
        });
        this.incomplete = spring.context().getBean(IncompleteEventPublications.class);
    }

    public static void main(String[] args) {
        Host.run(args, ModulithContender::new);
    }

    private static EventExternalizationConfiguration externalization(String topic) {
        return EventExternalizationConfiguration.externalizing()
                .select(event -> event instanceof OrderPlaced)
                .mapping(OrderPlaced.class, OrderPlaced::payload)
                .route(
                        OrderPlaced.class,
                        event -> RoutingTarget.forTarget(topic).andKey(event.key()))
                .build();
    }

    private void onPublished(ApplicationEvent event) {
        if (event instanceof PayloadApplicationEvent<?> payload && payload.getPayload() instanceof EventExternalized) {
            progress.began();
            progress.settled(1);
        }
    }

    @Override
    public String settings() {
        return Libraries.jarOf(EventExternalizationConfiguration.class)
                + " (older than the newest); no order; sent after the commit by a thread of the pool; a backlog is"
                + " resubmitted, up to " + IN_FLIGHT + " in flight and " + RESUBMIT_BATCH
                + " at a time, again and again; " + new TreeMap<>(SETTINGS);
    }

    @Override
    public void clear() throws SQLException {
        Business.execute(spring.dataSource(), "TRUNCATE event_publication, orders");
        hasBacklog = false;
    }

    // Writes the rows as failed sends would leave them. Publishing the events would send them.
    @Override
    public void append(EventPlan plan) throws SQLException {
        hasBacklog = true;
        Business.transaction(spring.dataSource(), conn -> {
            try (PreparedStatement insert = conn.prepareStatement(
                    "INSERT INTO event_publication (id, listener_id, event_type, serialized_event, publication_date,"
                            + " status, completion_attempts) VALUES (?, ?, ?, ?, now(), 'FAILED', 1)")) {
                for (int i = 0; i < plan.events(); i++) {
                    Event event = plan.at(i);
                    insert.setObject(1, UUID.randomUUID());
                    insert.setString(
                            2,
                            "org.springframework.modulith.events.support.DelegatingEventExternalizer"
                                    + ".externalize(java.lang.Object)");
                    insert.setString(3, OrderPlaced.class.getName());
                    insert.setString(
                            4,
                            "{\"key\":\"" + event.key() + "\",\"payload\":\""
                                    + event.payload().replace("\"", "\\\"") + "\"}");
                    insert.addBatch();
                    if (i % 1_000 == 999) {
                        insert.executeBatch();
                    }
                }
                insert.executeBatch();
            }
        });
    }

    // Events are sent after their commit without this call. Only remaining events have to be resubmitted.
    @Override
    public void start(Progress current) {
        progress = current;
        if (!hasBacklog) {
            return;
        }
        ResubmissionOptions options = ResubmissionOptions.defaults()
                .withBatchSize(RESUBMIT_BATCH)
                .withMaxInFlight(IN_FLIGHT)
                .withMinAge(Duration.ZERO);
        resubmitting = new LongRunning("resubmit", () -> {
            incomplete.resubmitIncompletePublications(options);
            TimeUnit.MILLISECONDS.sleep(10);
        });
    }

    @Override
    public void stop() throws SQLException, InterruptedException {
        if (resubmitting != null) {
            resubmitting.close();
            resubmitting = null;
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (inFlight() > 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(inFlight() + " events are in flight after " + PATIENCE);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private long inFlight() throws SQLException {
        try (Connection conn = spring.dataSource().getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM event_publication WHERE status IS DISTINCT FROM 'FAILED'")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void business(long number) {
        spring.transaction(number, () -> {});
    }

    @Override
    public void publish(Event event) {
        spring.transaction(
                event.number(), () -> spring.context().publishEvent(new OrderPlaced(event.key(), event.payload())));
    }

    @Override
    public void close() {
        spring.close();
    }
}
