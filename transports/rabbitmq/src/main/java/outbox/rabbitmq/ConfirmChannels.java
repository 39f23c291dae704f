package outbox.rabbitmq;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The channels of one connection. All proven addresses share one channel. Each unproven address has its own, so that a
 * missing or forbidden address does not end deliveries to others. Messages that may have ended a channel are isolated
 * too. Only the publisher's thread opens and closes probing.
 */
final class ConfirmChannels {

    /** Limits how many addresses and groups have their own channel at once, if the broker allows enough probing. */
    private static final int PROBATIONS_MAX = 100;

    private final Connection connection;
    private final boolean mandatory;
    private final Exchanges exchanges;
    private final Suspects suspects;
    private final ConfirmChannel.Observer observer;

    /** Leaves one channel for the shared one. */
    private final int probationsMax;

    /** Written by the publisher's thread, read by others. */
    private volatile @Nullable ConfirmChannel shared;

    private final Map<Isolated, ConfirmChannel> probations = new ConcurrentHashMap<>();

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

    /** Returns the channel to send a message on, or null when all channels for isolated messages are in use. */
    @Nullable
    ConfirmChannel channelFor(AmqpMessage message) throws IOException {
        if (!probations.isEmpty()) {
            closeFinished();
        }
        Suspects.Group group = suspects.of(message);
        Isolated isolated = group == null ? exchanges.onProbation(message.route()) : group;
        if (isolated == null || probationsMax == 0) {
            return shared();
        }
        ConfirmChannel channel = probations.get(isolated);
        if (channel == null && probations.size() < probationsMax) {
            channel = open();
            if (channel != null) {
                probations.put(isolated, channel);
            }
        }
        return channel;
    }

    /** Returns the channel of all proven addresses, or null when the broker allows no further channel. */
    @Nullable
    ConfirmChannel shared() throws IOException {
        ConfirmChannel channel = shared;
        if (channel == null || !channel.isOpen()) {
            channel = open();
            shared = channel;
        }
        return channel;
    }

    private @Nullable ConfirmChannel open() throws IOException {
        return ConfirmChannel.open(connection, mandatory, observer);
    }

    /** Closes channels that have ended or have nothing in flight. The first of them becomes the shared channel. */
    private void closeFinished() {
        Iterator<ConfirmChannel> probing = probations.values().iterator();
        while (probing.hasNext()) {
            ConfirmChannel channel = probing.next();
            if (!channel.isOpen()) {
                probing.remove();
            } else if (channel.isIdle()) {
                probing.remove();
                ConfirmChannel common = shared;
                if (common == null || !common.isOpen()) {
                    shared = channel;
                } else {
                    channel.close();
                }
            }
        }
    }

    // ---- any thread ----------------------------------------------------------------------------------------------

    /** Forgets reported messages. Returns whether the broker has answered nothing for this time. */
    boolean isSilent(Duration time) {
        boolean waited = false;
        boolean answered = false;
        ConfirmChannel common = shared;
        if (common != null) {
            waited = common.forgetReported();
            answered = common.answeredWithin(time);
        }
        for (ConfirmChannel channel : probations.values()) {
            waited |= channel.forgetReported();
            answered |= channel.answeredWithin(time);
        }
        return waited && !answered;
    }
}
