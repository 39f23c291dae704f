package catbox.console;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;

/** The form that sends the done events of a period again. */
public record ResendForm(
        @Nullable String from,
        @Nullable String before,
        @Nullable String type,
        @Nullable String destination) {

    /** As an address has it. */
    String[] parameters() {
        return fields().entrySet().stream()
                .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
                .toArray(String[]::new);
    }

    Request.Resend request(@Nullable String after, boolean dryRun) {
        return new Request.Resend(
                required("the time from which on", FilterForm.instant(from)),
                required("the time until which", FilterForm.instant(before)),
                type == null || type.isEmpty() ? null : type,
                required("the destination", destination),
                after,
                dryRun);
    }

    String inWords() {
        return "done events stored from " + from + " until " + before + " (UTC)"
                + (type == null || type.isEmpty() ? "" : ", of type " + type) + ", to " + destination;
    }

    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("from", String.valueOf(from));
        fields.put("before", String.valueOf(before));
        fields.put("type", type == null ? "" : type);
        fields.put("destination", String.valueOf(destination));
        return fields;
    }

    private static <T> T required(String what, @Nullable T value) {
        if (value == null || value.toString().isBlank()) {
            throw new IllegalArgumentException("Sending again needs " + what + ".");
        }
        return value;
    }
}
