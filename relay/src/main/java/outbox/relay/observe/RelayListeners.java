package outbox.relay.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import outbox.internal.ErrorText;

/** Passes events on to listeners. A listener that throws does not disturb the relay or other listeners. */
public final class RelayListeners implements RelayListener {

    private static final Logger LOG = System.getLogger(RelayListeners.class.getName());

    private final List<RelayListener> listeners;

    public RelayListeners(List<RelayListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void on(RelayEvent event) {
        for (RelayListener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException | LinkageError | StackOverflowError e) {
                report(event, e);
            }
        }
    }

    // The log itself may fail.
    private static void report(RelayEvent event, Throwable failure) {
        try {
            LOG.log(Level.WARNING, "a listener failed on " + event + ": " + ErrorText.of(failure), failure);
        } catch (RuntimeException | LinkageError | StackOverflowError unreported) {
            // There is no place left to report it.
        }
    }
}
