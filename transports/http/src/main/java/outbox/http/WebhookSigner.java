package outbox.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import outbox.spi.Secret;

/**
 * Signs requests by the Standard Webhooks specification, symmetric scheme. Each of several secrets adds a signature, so
 * that receivers can change their secret without losing a request.
 */
public final class WebhookSigner {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES_MIN = 24;
    private static final int KEY_BYTES_MAX = 64;

    private final List<SecretKeySpec> keys;

    /**
     * Creates a signer. Each secret is {@code whsec_} followed by base64 of 24 to 64 bytes.
     *
     * @throws IllegalArgumentException that does not show the secret
     */
    public WebhookSigner(List<Secret> secrets) {
        List<SecretKeySpec> read = new ArrayList<>();
        secrets.forEach(secret -> read.add(key(secret.reveal(), read.size() + 1)));
        keys = List.copyOf(read);
    }

    private static SecretKeySpec key(String secret, int number) {
        byte[] key = {};
        if (secret.startsWith(PREFIX)) {
            try {
                key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
            } catch (IllegalArgumentException e) {
                // Reported below, without the decoder's text.
            }
        }
        if (key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX) {
            throw new IllegalArgumentException("must be " + PREFIX + " followed by the base64 of " + KEY_BYTES_MIN
                    + " to " + KEY_BYTES_MAX + " bytes; number " + number + " is not");
        }
        return new SecretKeySpec(key, ALGORITHM);
    }

    boolean isActive() {
        return !keys.isEmpty();
    }

    /** Returns the signatures of a request, separated by spaces. */
    String sign(String id, long timestampSeconds, byte[] body) {
        ByteArrayOutputStream signed = new ByteArrayOutputStream(body.length + 64);
        signed.writeBytes((id + "." + timestampSeconds + ".").getBytes(StandardCharsets.UTF_8));
        signed.writeBytes(body);
        StringJoiner signatures = new StringJoiner(" ");
        for (SecretKeySpec key : keys) {
            signatures.add("v1," + Base64.getEncoder().encodeToString(mac(key, signed.toByteArray())));
        }
        return signatures.toString();
    }

    private static byte[] mac(SecretKeySpec key, byte[] content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
        }
    }

    /** Shows only the number of secrets. */
    @Override
    public String toString() {
        return "WebhookSigner[" + keys.size() + " secrets]";
    }
}
