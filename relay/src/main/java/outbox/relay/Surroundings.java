package outbox.relay;

import java.util.Map;
import outbox.relay.deliver.DestinationGate;
import outbox.relay.observe.RelayListener;
import outbox.relay.route.Router;
import outbox.util.TimeSource;

/** What the slots of a node work with. */
public record Surroundings(RelayConfig config, Router router, Gates gates, TimeSource time, RelayListener listener) {

    public Surroundings {
        gates.require(router);
    }

    public Surroundings(
            RelayConfig config,
            Router router,
            Map<String, DestinationGate> gates,
            TimeSource time,
            RelayListener listener) {
        this(config, router, new Gates(gates, time, listener), time, listener);
    }
}
