package catbox.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.server.Eventually;
import catbox.server.pulse.Pulses;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import outbox.spi.TimeSource;

class PulseStreamsTest {

    private final Pulses pulses = new Pulses();
    private PulseStreams streams = streams(Duration.ofMinutes(10));

    private PulseStreams streams(Duration lastsMax) {
        return new PulseStreams(pulses, lastsMax, TimeSource.SYSTEM);
    }

    @AfterEach
    void stop() {
        streams.stop();
    }

    @Test
    void opensSoManyAndNoMore() {
        streams.start();
        for (int n = 0; n < 100; n++) {
            streams.open("user" + n);
        }

        assertThatThrownBy(() -> streams.open("another"))
                .isInstanceOf(ProblemException.class)
                .hasMessageStartingWith("there are 100 streams already");
    }

    @Test
    void leavesPlacesToOthersWhenOneUserTakesAllThatHeMay() {
        streams.start();
        for (int n = 0; n < 10; n++) {
            streams.open("anna");
        }

        assertThatThrownBy(() -> streams.open("anna"))
                .isInstanceOf(ProblemException.class)
                .hasMessage("one user may have 10 streams, and anna has as many: close one, or use /api/pulse");
        assertThat(streams.open("bert")).isNotNull();
    }

    @Test
    void endsThemAfterAWhileAndHasPlacesForOthers() {
        streams = streams(Duration.ofMillis(1));
        streams.start();
        for (int n = 0; n < 500; n++) {
            assertThat(Eventually.value("there is a place", this::opened)).isNotNull();
        }
    }

    private SseEmitter opened() {
        return streams.open("anna");
    }

    @Test
    void endsOneThatFailsInsteadOfLeavingItOpen() {
        streams = new PulseStreams(pulses, Duration.ofMinutes(10), new BrokenTime());
        streams.start();
        SseEmitter emitter = streams.open("anna");

        String why = Eventually.value("it has ended", () -> {
            try {
                emitter.send("more");
                return null;
            } catch (IllegalStateException e) {
                return e.getMessage();
            }
        });
        assertThat(why).contains("this clock is broken");
    }

    private static final class BrokenTime implements TimeSource {

        @Override
        public Instant instant() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            throw new UnsupportedOperationException("this clock is broken");
        }
    }

    @Test
    void opensNoneWhileItStops() {
        assertThatThrownBy(() -> streams.open("anna")).hasMessage("the server is stopping");
        streams.start();
        streams.stop();
        for (int n = 0; n < 200; n++) {
            assertThatThrownBy(() -> streams.open("anna")).hasMessage("the server is stopping");
        }
    }
}
