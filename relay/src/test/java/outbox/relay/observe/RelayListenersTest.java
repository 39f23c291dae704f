package outbox.relay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayListenersTest {

    @Test
    void tellsEverybodyEvenIfOneFails() {
        List<RelayEvent> first = new ArrayList<>();
        List<RelayEvent> last = new ArrayList<>();
        RelayListeners listeners = new RelayListeners(List.of(
                first::add,
                event -> {
                    throw new IllegalStateException("a listener that fails");
                },
                last::add));
        RelayEvent event = new RelayEvent.Repartitioned(12);

        listeners.on(event);

        assertThat(first).containsExactly(event);
        assertThat(last).containsExactly(event);
    }
}
