package outbox.message;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * A text with names in braces that each event fills in, such as {@code orders.{aggregateType}}. The names are
 * eventType, aggregateType, aggregateId, tenantId, key, and {@code header:} followed by the name of a header.
 */
public final class Template {

    private static final List<String> NAMES = List.of("eventType", "aggregateType", "aggregateId", "tenantId", "key");
    private static final String HEADER = "header:";

    private final String text;
    private final List<Part> parts;

    /** A piece of fixed text, or a name to be filled in. */
    private record Part(String text, boolean isName) {}

    private Template(String text, List<Part> parts) {
        this.text = text;
        this.parts = parts;
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException when it is empty, a brace is not closed, or a name is unknown
     */
    public static Template parse(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a template must not be empty");
        }
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf('{', at);
            if (open != at) {
                int end = open < 0 ? text.length() : open;
                parts.add(new Part(text.substring(at, end), false));
                at = end;
            } else {
                int close = text.indexOf('}', open);
                if (close < 0) {
                    throw new IllegalArgumentException("template \"" + text + "\" has a brace that is not closed");
                }
                parts.add(new Part(checked(text, text.substring(open + 1, close)), true));
                at = close + 1;
            }
        }
        return new Template(text, List.copyOf(parts));
    }

    private static String checked(String template, String name) {
        boolean header = name.startsWith(HEADER) && name.length() > HEADER.length();
        if (!header && !NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "template \"" + template + "\" names {" + name + "}; allowed are " + NAMES + " and header:NAME");
        }
        return name;
    }

    /** Whether every event gives the same text. */
    public boolean isFixed() {
        return parts.stream().noneMatch(Part::isName);
    }

    /**
     * The text for an event.
     *
     * @throws IllegalArgumentException when the event lacks something that the template names
     */
    public String fill(EventEnvelope event) {
        return fill(name -> switch (name) {
            case "eventType" -> event.eventType();
            case "aggregateType" -> event.aggregateType();
            case "aggregateId" -> event.aggregateId();
            case "tenantId" -> event.tenantId();
            case "key" -> event.orderingKey();
            default -> event.headers().get(name.substring(HEADER.length()));
        });
    }

    private String fill(Function<String, @Nullable String> values) {
        if (parts.size() == 1) {
            return fill(parts.get(0), values);
        }
        StringBuilder filled = new StringBuilder();
        for (Part part : parts) {
            filled.append(fill(part, values));
        }
        return filled.toString();
    }

    private String fill(Part part, Function<String, @Nullable String> values) {
        String value = part.isName() ? values.apply(part.text()) : part.text();
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(
                    "the event has no " + part.text() + ", which template \"" + text + "\" needs");
        }
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Template that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
