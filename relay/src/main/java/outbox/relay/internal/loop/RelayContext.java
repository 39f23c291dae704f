package outbox.relay.internal.loop;

import java.util.Map;
import outbox.relay.RelayConfig;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.deliver.DestinationGates;
import outbox.relay.internal.model.Pacing;
import outbox.relay.observe.RelayListener;
import outbox.relay.route.Router;
import outbox.spi.TimeSource;

/** What all loops of a node share. */
public record RelayContext(
        RelayConfig config,
        Router router,
        DestinationGates gates,
        TimeSource time,
        RelayListener listener,
        Pacing pacing) {

    public RelayContext {
        gates.require(router);
    }

    public RelayContext(
            RelayConfig config,
            Router router,
            Map<String, DestinationGate> gates,
            TimeSource time,
            RelayListener listener,
            Pacing pacing) {
        this(config, router, new DestinationGates(gates, time, listener), time, listener, pacing);
    }
}
