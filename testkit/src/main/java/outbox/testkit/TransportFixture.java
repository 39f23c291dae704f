package outbox.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;

/**
 * What a transport under test offers the {@link TransportContract}: a destination, and power over the server behind it.
 * A fixture has an address of its own (topic, queue, path) where nothing has arrived yet.
 */
public interface TransportFixture extends AutoCloseable {

    /** The password or token that {@link #withRefusedCredentials()} tries; the contract searches errors for it. */
    String WRONG_SECRET = "wrong-secret-that-must-stay-hidden";

    /** One that works, in plain form: made at the first call, the same instance from then on. */
    Destination destination();

    /** One to the same place with {@link #WRONG_SECRET} as its password or token. The contract closes it. */
    Destination withRefusedCredentials();

    /**
     * What consumers have received so far, in order of arrival. Waits until there are at least this number, up to
     * {@link #patience()}, and then gives what there is.
     */
    List<Received> received(int atLeast);

    /** Kills or stops the server, or makes its port unreachable. */
    void stopBroker();

    /** Starts it again on the same address, with what it had. */
    void startBroker();

    /** From now on the server accepts what it is sent and does not answer. */
    void freezeBroker();

    /** The server works again. */
    void thawBroker();

    /** An event that the other side refuses for its size. */
    EventEnvelope oversized();

    /** A delivery of this event that the other side refuses while others of the same call arrive. */
    Delivery refused(EventEnvelope event);

    /** How long an outcome may take at most while the server is down or frozen; the destination's settings say. */
    Duration answersWithin();

    @Override
    void close();

    // ---- what differs between transports ---------------------------------------------------------------------------

    /** Whether binary payloads can be sent; otherwise they are rejected. */
    default boolean takesBinary() {
        return true;
    }

    /** Whether headers travel along; not where the message is the payload and nothing else. */
    default boolean carriesHeaders() {
        return true;
    }

    /** Whether all events of a call arrive or none does, so that one refused event fails the others of its call. */
    default boolean callsAreAtomic() {
        return false;
    }

    /** What becomes of {@link #oversized()}. */
    default Class<? extends Outcome> outcomeOfOversized() {
        return Outcome.Rejected.class;
    }

    /** Whether this thread belongs to the server or its consumers, and so may outlive the destination. */
    default boolean isThreadOfBroker(Thread thread) {
        return false;
    }

    /** How long the contract waits for what has to happen while the server works. */
    default Duration patience() {
        return Duration.ofSeconds(30);
    }

    /**
     * A message as a consumer got it.
     *
     * @param eventId from a header, or from the payload: those of the contract are JSON objects with an {@code id}
     * @param key if the transport carries one
     * @param body the text; base64 when it is binary
     * @param headers by their plain names, in any case
     */
    record Received(String eventId, @Nullable String key, String body, Map<String, String> headers) {

        /** With a body of bytes: the text that they are in UTF-8, or else their base64. */
        public static Received of(String eventId, @Nullable String key, byte[] body, Map<String, String> headers) {
            return new Received(eventId, key, text(body), headers);
        }

        static String text(byte[] body) {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(body))
                        .toString();
            } catch (CharacterCodingException e) {
                return Base64.getEncoder().encodeToString(body);
            }
        }
    }
}
