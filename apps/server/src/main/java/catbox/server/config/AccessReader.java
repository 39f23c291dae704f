package catbox.server.config;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import outbox.spi.Settings;

/** Reads the section that says who may do what. */
final class AccessReader {

    private AccessReader() {}

    /** The plan; empty when something else than a user or a token is wrong. */
    static Optional<AccessPlan> read(YamlDocument file) {
        List<AccessPlan.User> users = list(file, "user", AccessPlan.User::read);
        List<AccessPlan.Token> tokens = list(file, "token", AccessPlan.Token::read);
        Section rest = file.section("access", Set.of("users", "tokens"));
        requireDifferent(rest, users.stream().map(AccessPlan.User::name).toList(), "users");
        requireDifferent(rest, tokens.stream().map(AccessPlan.Token::name).toList(), "tokens");
        return rest.read(section -> AccessPlan.read(file.settings(section), users, tokens));
    }

    private static <T> List<T> list(YamlDocument file, String owner, Function<Settings, T> reader) {
        return file.list("access." + owner + "s", owner).stream()
                .flatMap(entry -> entry.read(each -> reader.apply(file.settings(each))).stream())
                .toList();
    }

    private static void requireDifferent(Section access, List<String> names, String what) {
        Set<String> seen = new HashSet<>();
        names.stream()
                .filter(name -> !seen.add(name))
                .forEach(name -> access.addError("", "access: two " + what + " are named " + name));
    }
}
