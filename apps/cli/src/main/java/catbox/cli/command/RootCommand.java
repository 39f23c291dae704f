package catbox.cli.command;

import catbox.cli.output.FieldList;
import catbox.cli.output.Screen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCrypt;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The program, with the commands that need no outbox. It inherits the commands that read or change one. */
@Command(
        name = "catbox",
        addMethodSubcommands = false,
        sortOptions = false,
        abbreviateSynopsis = true,
        description = "Operates an outbox, through a server or directly in its database.",
        optionListHeading = "%nOptions of every command, before or after its name:%n",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Exit codes: 0 success, 1 a problem or nothing was found, 2 wrong usage, 3 not reachable,",
            "4 refused, 5 not possible or broken off, 130 stopped with Ctrl-C."
        })
final class RootCommand extends ActionCommands {

    private static final int BCRYPT_COST = 12;
    private static final int PASSWORD_CHARACTERS_LEAST = 8;
    private static final int PASSWORD_BYTES_MAX = 72;
    private static final int TOKEN_BYTES = 32;

    @Spec
    private @Nullable CommandSpec spec;

    RootCommand(CommandContext context) {
        super(context);
    }

    private CommandLine program() {
        return Objects.requireNonNull(spec, "picocli did not set the specification of the program")
                .commandLine();
    }

    record Version(String catbox, String java) {}

    @Command(description = "Shows the versions of this program and of Java.")
    int version() {
        String packaged = RootCommand.class.getPackage().getImplementationVersion();
        Version version = new Version(
                packaged == null ? "unpackaged" : packaged, Runtime.version().toString());
        return context.show(
                version, () -> context.screen().print("catbox " + version.catbox() + ", on Java " + version.java()));
    }

    /** Replaces picocli's own command, whose option {@code --help} would exist twice. */
    @Command(description = "Shows the parameters and options of a command.")
    int help(
            @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "such as \"dead replay\"") @Nullable
                    List<String> command) {
        CommandLine found = program();
        for (String name : command == null ? List.<String>of() : command) {
            CommandLine next = found.getSubcommands().get(name);
            if (next == null) {
                throw new IllegalArgumentException("there is no command \"" + name + "\"");
            }
            found = next;
        }
        found.usage(found.getOut());
        return ExitCode.OK;
    }

    @Command(description = "Prints a script that completes commands in bash and zsh: source <(catbox completion)")
    int completion() {
        context.screen().print(AutoComplete.bash("catbox", program()));
        return ExitCode.OK;
    }

    @Command(
            description =
                    "Hashes a password for a user of the server. Asks for the password, or reads it from standard input.")
    int password() {
        String password = typedPassword();
        if (password.length() < PASSWORD_CHARACTERS_LEAST) {
            throw new IllegalArgumentException("a password has at least " + PASSWORD_CHARACTERS_LEAST + " characters");
        }
        if (password.getBytes(StandardCharsets.UTF_8).length > PASSWORD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a password has at most " + PASSWORD_BYTES_MAX + " bytes: bcrypt ignores the rest");
        }
        String hash = "{bcrypt}" + BCrypt.hashpw(password, BCrypt.gensalt(BCRYPT_COST));
        return context.show(Map.of("password", hash), () -> context.screen().print(hash));
    }

    private String typedPassword() {
        Screen.Keyboard keyboard = context.screen().keyboard();
        if (keyboard == null) {
            try {
                return new String(context.screen().streams().in().readAllBytes(), StandardCharsets.UTF_8).strip();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        String typed = keyboard.ask("Password: ", true).orElse("");
        if (!typed.equals(keyboard.ask("Again: ", true).orElse(""))) {
            throw new IllegalArgumentException("the two passwords differ");
        }
        return typed;
    }

    record Token(String token, String sha256) {}

    @Command(description = "Creates a token for a client, and its digest for the server's file.")
    int token() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Token token = new Token(text, sha256(text));
        return context.show(
                token,
                () -> new FieldList()
                        .add("token", token.token())
                        .add("sha256", token.sha256())
                        .add(
                                "",
                                "Give the token to the client; it is stored nowhere."
                                        + " Put the sha256 into access.tokens of the server's file.")
                        .print(context.screen()));
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
