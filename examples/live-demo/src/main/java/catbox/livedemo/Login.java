package catbox.livedemo;

import java.security.SecureRandom;
import java.util.stream.Collectors;
import org.springframework.security.crypto.bcrypt.BCrypt;

/**
 * The console's only user, with a password of this run.
 *
 * @param password as it is typed
 */
record Login(String password) {

    static final String USER = "demo";

    private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"; // None that is taken for another.
    private static final int LENGTH = 12;

    static Login generated() {
        return new Login(new SecureRandom()
                .ints(LENGTH, 0, LETTERS.length())
                .mapToObj(at -> String.valueOf(LETTERS.charAt(at)))
                .collect(Collectors.joining()));
    }

    /** As the server's file has it. */
    String hash() {
        return "{bcrypt}" + BCrypt.hashpw(password, BCrypt.gensalt());
    }
}
