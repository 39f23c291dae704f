package catbox.cli.command;

import catbox.cli.output.Screen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.security.crypto.bcrypt.BCrypt;
import picocli.CommandLine.Command;

@Command(
        name = "password",
        description = "Hashes a password for the server's users. Asks for it, or reads it from standard input.")
final class PasswordCommand implements Callable<Integer> {

    private static final int COST = 12;
    private static final int CHARACTERS_LEAST = 8;
    private static final int BYTES_MAX = 72;

    private final Desk desk;

    PasswordCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        String password = password();
        if (password.length() < CHARACTERS_LEAST) {
            throw new IllegalArgumentException("a password has at least " + CHARACTERS_LEAST + " characters");
        }
        if (password.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a password has at most " + BYTES_MAX + " bytes: bcrypt ignores what is behind");
        }
        String hash = "{bcrypt}" + BCrypt.hashpw(password, BCrypt.gensalt(COST));
        return desk.show(Map.of("password", hash), () -> desk.screen().print(hash));
    }

    private String password() {
        Screen.Keyboard keyboard = desk.screen().keyboard();
        if (keyboard == null) {
            try {
                return new String(desk.screen().streams().in().readAllBytes(), StandardCharsets.UTF_8).strip();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        String typed = keyboard.secret("Password: ").orElse("");
        if (!typed.equals(keyboard.secret("Again: ").orElse(""))) {
            throw new IllegalArgumentException("the two were not the same");
        }
        return typed;
    }
}
