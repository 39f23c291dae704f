package outbox.http;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import outbox.message.Message;
import outbox.message.MessageForm;
import outbox.model.Delivery;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.TimeSource;
import outbox.util.JsonCodec;

/** Converts deliveries to requests. */
final class RequestWriter {

    private static final String RENAMED = "outbox-header-";

    private final HttpTarget target;
    private final HttpFraming framing;
    private final TimeSource time;
    private final Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    RequestWriter(HttpConfig config, TimeSource time) {
        this.target = config.target();
        this.framing = config.framing();
        this.time = time;
        taken.addAll(target.headers().keySet());
        taken.add("authorization");
    }

    /**
     * Checks that a delivery can be part of a request.
     *
     * @return its URI
     * @throws IllegalArgumentException with the reason when it can not
     */
    URI check(Delivery delivery) {
        String json = delivery.event().payloadJson();
        boolean inDocument = framing.writer().form() == MessageForm.CLOUDEVENTS_STRUCTURED;
        if (json == null && !framing.isSingle()) {
            throw new IllegalArgumentException("a binary payload cannot be part of a JSON array");
        }
        if (json != null && (!framing.isSingle() || inDocument)) {
            JsonCodec.validate(json); // Another program may have written the payload, and it must not break the array.
        }
        return target.uriOf(delivery);
    }

    /** Returns what the response to a delivery concerns: its path or the whole server. */
    Scope scope(Delivery delivery) {
        return target.isOneOfManyPaths(delivery) ? Scope.ADDRESS : Scope.DESTINATION;
    }

    /** Returns a request with these deliveries, in this order, for their common URI. */
    HttpRequest request(URI uri, List<Delivery> deliveries, Duration timeout) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).version(target.version()).timeout(timeout);
        if (framing.isSingle()) {
            single(request, deliveries.get(0));
        } else {
            request.setHeader("Content-Type", "application/json");
            request.POST(HttpRequest.BodyPublishers.ofByteArray(array(deliveries)));
        }
        if (target.token() != null) {
            request.setHeader("Authorization", "Bearer " + target.token().reveal());
        }
        target.headers().forEach((name, value) -> request.setHeader(name, value.reveal()));
        return request.build();
    }

    private static byte[] array(List<Delivery> deliveries) {
        StringBuilder array = new StringBuilder("[");
        for (Delivery delivery : deliveries) {
            array.append(array.length() == 1 ? "" : ",").append(delivery.event().payloadJson());
        }
        return array.append(']').toString().getBytes(StandardCharsets.UTF_8);
    }

    // ---- one event -------------------------------------------------------------------------------------------------

    private void single(HttpRequest.Builder request, Delivery delivery) {
        Message message = framing.writer().write(delivery);
        message.headers().forEach((name, value) -> request.setHeader(safeName(name), safeValue(name, value)));
        request.setHeader("Content-Type", message.contentType());
        if (framing.signer().isActive()) {
            String id = HeaderText.value(delivery.event().eventId());
            long timestamp = time.instant().getEpochSecond();
            request.setHeader("webhook-id", id);
            request.setHeader("webhook-timestamp", Long.toString(timestamp));
            request.setHeader("webhook-signature", framing.signer().sign(id, timestamp, message.body()));
        }
        request.POST(HttpRequest.BodyPublishers.ofByteArray(message.body()));
    }

    /** An event's header cannot impersonate one of this destination: it keeps its name only behind a prefix. */
    private String safeName(String name) {
        String encoded = HeaderText.name(name);
        return encoded.isEmpty() || HeaderText.isReserved(encoded) || taken.contains(encoded)
                ? RENAMED + encoded
                : encoded;
    }

    private String safeValue(String name, String value) {
        boolean attribute = framing.writer().form() == MessageForm.CLOUDEVENTS
                && name.toLowerCase(Locale.ROOT).startsWith(HttpFraming.ATTRIBUTE_PREFIX);
        return attribute ? HeaderText.attribute(value) : HeaderText.value(value);
    }
}
