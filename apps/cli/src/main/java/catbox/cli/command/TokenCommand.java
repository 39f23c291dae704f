package catbox.cli.command;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "token", description = "Makes a token, and what the server's file knows it by.")
final class TokenCommand implements Callable<Integer> {

    private static final int BYTES = 32;

    private final Desk desk;

    TokenCommand(Desk desk) {
        this.desk = desk;
    }

    /** A token, and its digest. */
    record Token(String token, String sha256) {}

    @Override
    public Integer call() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Token token = new Token(text, sha256(text));
        return desk.show(
                token,
                () -> new Facts()
                        .add("token", token.token())
                        .add("sha256", token.sha256())
                        .add(
                                "",
                                "The token is for who uses it, and is kept nowhere. The sha256 is for the server's access.tokens.")
                        .print(desk.screen()));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
