package catbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Relays of which one after the other is killed and started again: deliveries of every partition continue, because the end
 * of a connection is evidence of death. Their time-out is so long that nothing else lets anybody take over here. How many
 * seconds it takes, {@code ./catbox chaos --form times} measures.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class KillLoopIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    @Test
    void deliveriesContinueWhileNodesAreKilledOneAfterAnother() throws Exception {
        Path folder = Path.of("target", "chaos-runs", "kill-loop-" + System.nanoTime());

        KillLoop.Result result =
                new KillLoop(new KillLoop.Plan(3, TIMEOUT, Duration.ZERO, Duration.ZERO, folder)).run();

        System.out.println("slowest takeover: " + result.slowest());
        assertThat(result.kills())
                .hasSize(6)
                .allSatisfy(kill -> assertThat(kill.partitions()).isNotEmpty());
        assertThat(result.slowest().after()).isLessThan(TIMEOUT.dividedBy(10));
    }
}
