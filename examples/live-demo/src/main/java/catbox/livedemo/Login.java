package catbox.livedemo;

import java.security.SecureRandom;
import java.util.stream.Collectors;
import org.springframework.security.crypto.bcrypt.BCrypt;

/**
 * The console's only user, with a password for this run.
 *
 * @param password in plain text
 */
record Login(String password) {

    static final String USER = "demo";

    private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"; // No letters that are easily confused.
    private static final int LENGTH = 12;

    static Login generated() {
        return new Login(new SecureRandom()
                .ints(LENGTH, 0, LETTERS.length())
                .mapToObj(at -> String.valueOf(LETTERS.charAt(at)))
                .collect(Collectors.joining()));
    }

    /** Returns the hash for the server's file. */
    String hash() {
        return "{bcrypt}" + BCrypt.hashpw(password, BCrypt.gensalt());
    }
}
