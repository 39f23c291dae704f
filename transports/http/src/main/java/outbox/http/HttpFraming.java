package outbox.http;

import java.util.ArrayList;
import java.util.List;
import outbox.message.MessageForm;
import outbox.message.MessageWriter;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * Configures the contents of a request.
 *
 * @param mode many events or one
 * @param batchSize how many events a request has at most, in batch mode
 * @param writer the form of an event, in single mode
 * @param signer signs requests in single mode; without secrets it does not
 */
public record HttpFraming(Mode mode, int batchSize, MessageWriter writer, WebhookSigner signer) {

    /** Selects how many events a request has. */
    public enum Mode {
        /** A JSON array of payloads. */
        BATCH,
        /** One event, with headers. */
        SINGLE
    }

    static final String ATTRIBUTE_PREFIX = "ce-";

    public HttpFraming {
        if (batchSize < 1) {
            throw new IllegalArgumentException("batchSize must be at least 1, was " + batchSize);
        }
    }

    boolean isSingle() {
        return mode == Mode.SINGLE;
    }

    /** Returns how many events a request has at most. */
    int eventsPerRequestMax() {
        return isSingle() ? 1 : batchSize;
    }

    static HttpFraming from(Settings settings) {
        Mode mode = settings.oneOf("mode", Mode.class, Mode.BATCH);
        MessageWriter writer = MessageWriter.from(settings, ATTRIBUTE_PREFIX);
        WebhookSigner signer = signer(settings);
        if (mode == Mode.BATCH && writer.form() != MessageForm.PLAIN) {
            throw settings.wrong("form", "needs mode single: a batch holds payloads alone");
        }
        if (mode == Mode.BATCH && signer.isActive()) {
            throw settings.wrong("signing-secrets", "needs mode single: a signature covers one event");
        }
        return new HttpFraming(mode, settings.number("batch-size", 100, 1, 10_000), writer, signer);
    }

    private static WebhookSigner signer(Settings settings) {
        List<Secret> secrets = new ArrayList<>();
        settings.secret("signing-secrets").ifPresent(all -> {
            for (String one : all.reveal().split("[,\\s]+", -1)) {
                if (!one.isEmpty()) {
                    secrets.add(new Secret(one));
                }
            }
        });
        settings.group("signing-secret").forEach((name, value) -> secrets.add(new Secret(value)));
        try {
            return new WebhookSigner(secrets);
        } catch (IllegalArgumentException e) {
            throw settings.wrong("signing-secrets", String.valueOf(e.getMessage()));
        }
    }
}
