package outbox.sqs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.Utf8;
import outbox.message.Message;
import outbox.message.MessageForm;
import outbox.model.Delivery;

/** Converts deliveries to SQS messages. */
final class MessageBuilder {

    static final String KEY = "outbox-key";
    static final String CONTENT_TYPE = "content-type";
    static final String ENCODING = "content-transfer-encoding";
    static final String BASE64 = "base64";

    /** Allowed characters of a group or deduplication id. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9!-/:-@\\[-`{-~]{1,128}");

    private static final String BINARY = "application/octet-stream";

    /** Size of the type that is counted with every attribute. */
    private static final int TYPE_BYTES = "String".length();

    private final SqsConfig config;

    MessageBuilder(SqsConfig config) {
        this.config = config;
    }

    /**
     * Returns the message of a delivery.
     *
     * @throws IllegalArgumentException with the reason why SQS can never accept it
     */
    SqsMessage message(int index, Delivery delivery) {
        EventEnvelope event = delivery.event();
        String queue = queueOf(delivery);
        Message message = config.writer().write(delivery);
        boolean binary = message.contentType().equals(BINARY);
        String body = binary ? Base64.getEncoder().encodeToString(message.body()) : checked(message.text());
        Map<String, String> attributes = Attributes.of(formHeaders(event, message, binary), ownHeaders(event, message));
        long bytes = Utf8.length(body) + bytesOf(attributes);
        if (bytes > config.limits().messageBytesMax()) {
            throw new IllegalArgumentException(
                    "the message for queue " + queue + " has " + bytes + " bytes with its attributes, but allowed are "
                            + config.limits().messageBytesMax());
        }
        return new SqsMessage(index, queue, body, attributes, order(queue, event, message), bytes);
    }

    /** Returns the name or the URL of a delivery's queue. */
    String queueOf(Delivery delivery) {
        String address = delivery.address();
        return address == null ? config.queue().fill(delivery.event()) : address;
    }

    private static String checked(String body) {
        if (body.isEmpty()) {
            throw new IllegalArgumentException("the body is empty, which SQS does not accept");
        }
        int refused = SqsText.firstRefused(body);
        if (refused >= 0) {
            throw new IllegalArgumentException(
                    "the body has the character U+%04X at index %d, which SQS does not accept"
                            .formatted(body.codePointAt(refused), refused));
        }
        return body;
    }

    /** Returns the headers of the message form, and the values for which SQS has no field of its own. */
    private Map<String, String> formHeaders(EventEnvelope event, Message message, boolean binary) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(CONTENT_TYPE, message.contentType());
        if (binary) {
            headers.put(ENCODING, BASE64);
        }
        message.headers().forEach((name, value) -> {
            if (!value.equals(event.headers().get(name))) {
                headers.putIfAbsent(name, value);
            }
        });
        boolean keyIsInForm = config.writer().form() == MessageForm.CLOUDEVENTS
                || config.writer().form() == MessageForm.CLOUDEVENTS_STRUCTURED;
        if (message.key() != null && !keyIsInForm) {
            headers.put(KEY, message.key());
        }
        return headers;
    }

    private static Map<String, String> ownHeaders(EventEnvelope event, Message message) {
        Map<String, String> own = new LinkedHashMap<>();
        event.headers().forEach((name, value) -> {
            if (value.equals(message.headers().get(name))) {
                own.put(name, value);
            }
        });
        // These describe the message itself, so an event cannot set them.
        own.remove(CONTENT_TYPE);
        own.remove(ENCODING);
        own.remove(KEY);
        return own;
    }

    private static long bytesOf(Map<String, String> attributes) {
        return attributes.entrySet().stream()
                .mapToLong(
                        attribute -> Utf8.length(attribute.getKey()) + TYPE_BYTES + Utf8.length(attribute.getValue()))
                .sum();
    }

    private static SqsMessage.@Nullable Order order(String queue, EventEnvelope event, Message message) {
        if (!SqsMessage.isFifo(queue)) {
            return null;
        }
        String key = message.key() == null ? event.eventId() : message.key();
        return new SqsMessage.Order(id(key), id(event.eventId()));
    }

    /** Returns the text itself if SQS accepts it as an id, otherwise a digest: only equality matters. */
    static String id(String text) {
        if (ID.matcher(text).matches()) {
            return text;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
