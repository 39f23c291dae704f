package outbox.sqs;

import java.util.LinkedHashMap;
import java.util.Map;
import outbox.util.JsonCodec;

/**
 * Fits headers into the ten attributes that a message may have. Headers of the message form come first. If the event's
 * own headers do not all fit, or one of them cannot be an attribute, all of them are packed as one JSON document into
 * the attribute {@code outbox-headers}, together with the form's headers that do not fit.
 */
final class Attributes {

    static final String HEADERS = "outbox-headers";
    static final int COUNT_MAX = 10;

    private Attributes() {}

    static Map<String, String> of(Map<String, String> form, Map<String, String> own) {
        boolean allFit = form.size() + own.size() <= COUNT_MAX && canBeAttributes(form) && canBeAttributes(own);
        return allFit ? joined(form, own) : packed(form, own);
    }

    private static boolean canBeAttributes(Map<String, String> headers) {
        return headers.entrySet().stream()
                .allMatch(header -> SqsText.canBeAttribute(header.getKey(), header.getValue())
                        && !header.getKey().equals(HEADERS));
    }

    private static Map<String, String> joined(Map<String, String> form, Map<String, String> own) {
        Map<String, String> all = new LinkedHashMap<>(form);
        all.putAll(own);
        return all;
    }

    private static Map<String, String> packed(Map<String, String> form, Map<String, String> own) {
        Map<String, String> attributes = new LinkedHashMap<>();
        Map<String, String> rest = new LinkedHashMap<>();
        for (Map.Entry<String, String> header : form.entrySet()) {
            boolean fits =
                    attributes.size() < COUNT_MAX - 1 && SqsText.canBeAttribute(header.getKey(), header.getValue());
            (fits ? attributes : rest).put(header.getKey(), header.getValue());
        }
        rest.putAll(own);
        attributes.put(HEADERS, SqsText.escaped(JsonCodec.encode(rest)));
        return attributes;
    }
}
