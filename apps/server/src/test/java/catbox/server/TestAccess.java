package catbox.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Users and tokens of the tests: one of each role, with the name of the role as password and as token. */
public final class TestAccess {

    private TestAccess() {}

    /** A section of the server's file; reader has the role of a viewer and the right to read payloads. */
    public static String yaml() {
        return """
                access:
                  users:
                    - { name: viewer, password: "%s", role: viewer }
                    - { name: operator, password: "%s", role: operator }
                    - { name: admin, password: "%s", role: admin }
                    - { name: reader, password: "%s", role: viewer, payload-read: true }
                  tokens:
                    - { name: viewer, sha256: "%s", role: viewer }
                    - { name: operator, sha256: "%s", role: operator }
                    - { name: admin, sha256: "%s", role: admin }
                    - { name: reader, sha256: "%s", role: viewer, payload-read: true }
                """.formatted(
                        hash("viewer"),
                        hash("operator"),
                        hash("admin"),
                        hash("reader"),
                        sha256("viewer"),
                        sha256("operator"),
                        sha256("admin"),
                        sha256("reader"));
    }

    /** A cheap hash, because every test makes some. */
    public static String hash(String password) {
        return "{bcrypt}" + new BCryptPasswordEncoder(4).encode(password);
    }

    public static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
