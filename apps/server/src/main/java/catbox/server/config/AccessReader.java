package catbox.server.config;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import outbox.spi.Settings;

/** Reads the section that says who may do what. */
final class AccessReader {

    private final YamlDocument document;
    private final ConfigErrors complaints;
    private final Function<Section, Settings> settings;

    AccessReader(YamlDocument document, ConfigErrors complaints, Function<Section, Settings> settings) {
        this.document = document;
        this.complaints = complaints;
        this.settings = settings;
    }

    /** The plan; empty when there is a complaint about it. */
    Optional<AccessPlan> read() {
        int before = complaints.count();
        List<AccessPlan.User> users = list("user", AccessPlan.User::read);
        List<AccessPlan.Token> tokens = list("token", AccessPlan.Token::read);
        Section rest = document.section("access", Set.of("users", "tokens"));
        requireDifferent(rest, users.stream().map(AccessPlan.User::name).toList(), "users");
        requireDifferent(rest, tokens.stream().map(AccessPlan.Token::name).toList(), "tokens");
        Optional<AccessPlan> plan = rest.read(section -> AccessPlan.read(settings.apply(section), users, tokens));
        return complaints.count() > before ? Optional.empty() : plan;
    }

    private <T> List<T> list(String owner, Function<Settings, T> reader) {
        return document.list("access." + owner + "s", owner).stream()
                .map(entry -> entry.ownedBy((owner + " " + entry.value("name").strip()).strip()))
                .flatMap(entry -> entry.read(each -> reader.apply(settings.apply(each))).stream())
                .toList();
    }

    private static void requireDifferent(Section access, List<String> names, String what) {
        Set<String> seen = new HashSet<>();
        names.stream()
                .filter(name -> !seen.add(name))
                .forEach(name -> access.complain("", "access: two " + what + " are named " + name));
    }
}
