package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.PermanentFailureException;
import outbox.model.EventStatus;
import outbox.spi.MetricsExporter;
import outbox.testkit.RecordingListener;
import outbox.testkit.RecordingMetrics;
import outbox.testkit.World;

class DispatcherMetricsTest {

    private final World world = new World();
    private final RecordingMetrics metrics = new RecordingMetrics();

    @Test
    void countsASuccessOnceItIsWritten() {
        Instance instance = Instance.builder(world).metrics(metrics).build();
        instance.publish(World.event());
        instance.deliverOne();
        assertThat(metrics.facts()).containsExactly("hot enqueued");

        instance.settle();

        assertThat(metrics.facts()).containsExactly("hot enqueued", "success");
    }

    @Test
    void countsFailuresAndDeaths() {
        Instance instance = Instance.builder(world)
                .metrics(metrics)
                .listener(new RecordingListener()
                        .failingWith(new Exception("broker down"), new PermanentFailureException("no such topic")))
                .build();
        instance.publish(World.event());
        instance.work();
        world.time.advance(Duration.ofSeconds(1));
        instance.poll();
        instance.work();

        assertThat(metrics.facts()).containsExactly("hot enqueued", "failure", "cold enqueued", "dead");
    }

    @Test
    void countsWhatTheHotQueueCouldNotTake() {
        Instance instance = Instance.builder(world)
                .metrics(metrics)
                .with(c -> c.setHotQueueCapacity(1))
                .build();
        instance.publish(World.event());
        instance.publish(World.event());

        assertThat(metrics.facts()).containsExactly("hot enqueued", "hot dropped");
    }

    @Test
    void recordsTheDepthOfBothQueues() {
        Instance instance = Instance.builder(world).metrics(metrics).build();
        world.store(World.event(), World.event());
        instance.poll();
        instance.publish(World.event());

        assertThat(metrics.depths()).containsExactly("0/1", "0/2", "1/2");
    }

    @Test
    void countsADeathByDecoding() {
        Instance instance = Instance.builder(world).metrics(metrics).build();
        EventEnvelope event = World.event();
        world.store(event);
        world.store.corruptHeaders(event.eventId(), "nonsense");
        instance.poll();

        assertThat(metrics.facts()).containsExactly("dead");
    }

    @Test
    void recordsHowLongTheOldestClaimedEventHasWaited() {
        Instance instance = Instance.builder(world).metrics(metrics).build();
        world.store(World.event());
        world.time.advance(Duration.ofSeconds(7));
        world.store(World.event());
        instance.poll();
        instance.poll();

        assertThat(metrics.lags()).containsExactly(7_000L, 0L);
    }

    @Test
    void anExporterThatThrowsChangesNothing() {
        MetricsExporter broken = (MetricsExporter) Proxy.newProxyInstance(
                MetricsExporter.class.getClassLoader(),
                new Class<?>[] {MetricsExporter.class},
                (proxy, method, args) -> {
                    throw new IllegalStateException(method.getName() + " is broken");
                });
        Instance instance = Instance.builder(world)
                .metrics(broken)
                .with(c -> c.setHotQueueCapacity(1))
                .listener(new RecordingListener().failingWith(new Exception("once")))
                .build();
        EventEnvelope failed = instance.publish(World.event());
        EventEnvelope dropped = instance.publish(World.event());
        instance.work();
        assertThat(world.status(failed)).isEqualTo(EventStatus.RETRY);
        world.time.advance(Duration.ofSeconds(1));
        instance.poll();
        instance.work();

        assertThat(world.status(failed)).isEqualTo(EventStatus.DONE);
        assertThat(world.status(dropped)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void anExporterThatThrowsAnErrorChangesNothing() {
        MetricsExporter broken = (MetricsExporter) Proxy.newProxyInstance(
                MetricsExporter.class.getClassLoader(),
                new Class<?>[] {MetricsExporter.class},
                (proxy, method, args) -> {
                    throw new NoSuchMethodError("as of a metrics library of another version");
                });
        Instance instance = Instance.builder(world).metrics(broken).build();
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void recordsTheDepthsWhenTheQueuesEmpty() {
        Instance instance = Instance.builder(world).metrics(metrics).build();
        instance.publish(World.event());
        instance.work();

        assertThat(metrics.depths()).endsWith("0/0");
    }

    @Test
    void countsNoSuccessThatCameTooLate() {
        Instance late = Instance.builder(world).metrics(metrics).build();
        Instance other = Instance.in(world);
        late.publish(World.event());
        late.deliverOne();
        world.time.advance(Instance.LEASE);
        other.poll();

        late.settle();

        assertThat(metrics.facts()).containsExactly("hot enqueued");
    }
}
