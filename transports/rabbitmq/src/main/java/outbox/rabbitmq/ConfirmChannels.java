package outbox.rabbitmq;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one connection: one for all places that have proved themselves, and one for each that has yet to, so that a
 * place that is missing or forbidden takes no other down with it. Messages one of which has ended a channel are apart too.
 * Only the publisher's thread opens and closes lines.
 */
final class ConfirmChannels {

    /** How many places and groups may be on probation at once, where the broker allows so many channels. */
    private static final int PROBATIONS_MAX = 100;

    private final Connection connection;
    private final boolean mandatory;
    private final Exchanges exchanges;
    private final Suspects suspects;
    private final ConfirmChannel.Observer observer;

    /** Leaves a channel for the shared line. */
    private final int probationsMax;

    /** Written by the publisher's thread, read by others. */
    private volatile @Nullable ConfirmChannel shared;

    private final Map<Apart, ConfirmChannel> probations = new ConcurrentHashMap<>();

    ConfirmChannels(
            Connection connection,
            boolean mandatory,
            Exchanges exchanges,
            Suspects suspects,
            ConfirmChannel.Observer observer) {
        this.connection = connection;
        this.mandatory = mandatory;
        this.exchanges = exchanges;
        this.suspects = suspects;
        this.observer = observer;
        int channelsMax = connection.getChannelMax();
        this.probationsMax = channelsMax == 0 ? PROBATIONS_MAX : Math.min(PROBATIONS_MAX, channelsMax - 1);
    }

    Connection connection() {
        return connection;
    }

    /** The line to send a message on; null when too many are on probation for the channels that there may be. */
    @Nullable
    ConfirmChannel lineFor(AmqpMessage message) throws IOException {
        if (!probations.isEmpty()) {
            endProbations();
        }
        Suspects.Group group = suspects.of(message);
        Apart apart = group == null ? exchanges.onProbation(message.route()) : group;
        if (apart == null || probationsMax == 0) {
            return shared();
        }
        ConfirmChannel line = probations.get(apart);
        if (line == null && probations.size() < probationsMax) {
            line = open();
            if (line != null) {
                probations.put(apart, line);
            }
        }
        return line;
    }

    /** The line of all that have proved themselves; null when the broker allows no further channel. */
    @Nullable
    ConfirmChannel shared() throws IOException {
        ConfirmChannel line = shared;
        if (line == null || !line.isOpen()) {
            line = open();
            shared = line;
        }
        return line;
    }

    private @Nullable ConfirmChannel open() throws IOException {
        return ConfirmChannel.open(connection, mandatory, observer);
    }

    /** Closes lines that are over or have nothing in flight any more; the first of them becomes the shared one. */
    private void endProbations() {
        Iterator<ConfirmChannel> lines = probations.values().iterator();
        while (lines.hasNext()) {
            ConfirmChannel line = lines.next();
            if (!line.isOpen()) {
                lines.remove();
            } else if (line.isIdle()) {
                lines.remove();
                ConfirmChannel common = shared;
                if (common == null || !common.isOpen()) {
                    shared = line;
                } else {
                    line.close();
                }
            }
        }
    }

    // ---- any thread ----------------------------------------------------------------------------------------------

    /** Forgets what nothing waits for any more, and says whether the broker has answered nothing for so long. */
    boolean areSilent(Duration time) {
        boolean waited = false;
        boolean answered = false;
        ConfirmChannel common = shared;
        if (common != null) {
            waited = common.forgetOver();
            answered = common.answeredWithin(time);
        }
        for (ConfirmChannel line : probations.values()) {
            waited |= line.forgetOver();
            answered |= line.answeredWithin(time);
        }
        return waited && !answered;
    }
}
