package outbox.message;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.InstantText;
import outbox.model.Delivery;
import outbox.spi.Settings;
import outbox.util.JsonCodec;

/**
 * Writes events as messages of one form. The event's own headers, such as its trace context, are always sent; where one
 * has the name of a header of the form, the form's header wins.
 *
 * @param source the CloudEvents attribute of that name, which says where events come from
 * @param attributePrefix the prefix of CloudEvents attributes in the headers of a transport
 */
public record MessageWriter(MessageForm form, String source, String attributePrefix) {

    private static final String JSON = "application/json";
    private static final String BINARY = "application/octet-stream";
    private static final String CLOUD_EVENT = "application/cloudevents+json";
    private static final Pattern EXTENSION_NAME = Pattern.compile("[a-z0-9]{1,20}");

    /** Reads the settings {@code form} and {@code source}. */
    public static MessageWriter from(Settings settings, String attributePrefix) {
        return new MessageWriter(
                settings.oneOf("form", MessageForm.class, MessageForm.PLAIN),
                settings.text("source").orElse("/outbox"),
                attributePrefix);
    }

    /**
     * The message of a delivery.
     *
     * @throws IllegalArgumentException when the event cannot take this form
     */
    public Message write(Delivery delivery) {
        EventEnvelope event = delivery.event();
        byte[] binary = event.payloadBytes();
        String json = event.payloadJson();
        byte[] body = json == null ? Objects.requireNonNull(binary) : json.getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        return switch (form) {
            case PLAIN -> {
                plain(delivery, headers);
                yield new Message(key(event), contentType(event), headers, body);
            }
            case CLOUDEVENTS -> {
                attributes(delivery).forEach((name, value) -> headers.put(attributePrefix + name, value));
                yield new Message(key(event), contentType(event), headers, body);
            }
            case CLOUDEVENTS_STRUCTURED -> new Message(key(event), CLOUD_EVENT, headers, structured(delivery));
            case DEBEZIUM_OUTBOX -> {
                headers.put("id", event.eventId());
                headers.put("eventType", event.eventType());
                yield new Message(
                        event.aggregateId() == null ? key(event) : event.aggregateId(),
                        contentType(event),
                        headers,
                        body);
            }
        };
    }

    private static @Nullable String key(EventEnvelope event) {
        return event.orderingKey() == null ? event.aggregateId() : event.orderingKey();
    }

    private static String contentType(EventEnvelope event) {
        return event.payloadJson() == null ? BINARY : JSON;
    }

    private static void plain(Delivery delivery, Map<String, String> headers) {
        EventEnvelope event = delivery.event();
        headers.put("outbox-event-id", event.eventId());
        headers.put("outbox-event-type", event.eventType());
        putIfThere(headers, "outbox-aggregate-type", event.aggregateType());
        putIfThere(headers, "outbox-aggregate-id", event.aggregateId());
        putIfThere(headers, "outbox-tenant-id", event.tenantId());
        headers.put("outbox-occurred-at", InstantText.of(event.occurredAt()));
        headers.put("outbox-attempt", Integer.toString(delivery.attempt()));
    }

    private static void putIfThere(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    // ---- CloudEvents ---------------------------------------------------------------------------------------------

    private Map<String, String> attributes(Delivery delivery) {
        EventEnvelope event = delivery.event();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", event.eventId());
        attributes.put("source", source);
        attributes.put("type", event.eventType());
        putIfThere(attributes, "subject", event.aggregateId());
        attributes.put("time", InstantText.of(event.occurredAt()));
        putIfThere(attributes, "aggregatetype", event.aggregateType());
        putIfThere(attributes, "tenantid", event.tenantId());
        putIfThere(attributes, "partitionkey", key(event));
        attributes.put("attempt", Integer.toString(delivery.attempt()));
        return attributes;
    }

    private byte[] structured(Delivery delivery) {
        EventEnvelope event = delivery.event();
        Map<String, String> attributes = attributes(delivery);
        event.headers().forEach((name, value) -> {
            if (EXTENSION_NAME.matcher(name).matches() && !name.equals("data")) {
                attributes.putIfAbsent(name, value);
            }
        });
        attributes.put("datacontenttype", contentType(event));
        String json = event.payloadJson();
        byte[] binary = event.payloadBytes();
        String data;
        if (json != null) {
            JsonCodec.validate(json); // Another program may have written it, and it must not break the document.
            data = "\"data\":" + json;
        } else {
            data = "\"data_base64\":\"" + Base64.getEncoder().encodeToString(Objects.requireNonNull(binary)) + "\"";
        }
        String document = JsonCodec.encode(attributes);
        return (document.substring(0, document.length() - 1) + "," + data + "}").getBytes(StandardCharsets.UTF_8);
    }
}
