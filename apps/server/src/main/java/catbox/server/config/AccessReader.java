package catbox.server.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import outbox.util.Settings;

/** Reads the section that says who may do what. */
final class AccessReader {

    private static final String USERS = "users";
    private static final String TOKENS = "tokens";

    private final YamlDocument document;
    private final Complaints complaints;
    private final Function<Section, Settings> settings;

    AccessReader(YamlDocument document, Complaints complaints, Function<Section, Settings> settings) {
        this.document = document;
        this.complaints = complaints;
        this.settings = settings;
    }

    /** The plan; empty when there is a complaint about it. */
    Optional<AccessPlan> read() {
        int before = complaints.count();
        List<AccessPlan.User> users = list(USERS, "user", AccessPlan.User::read);
        List<AccessPlan.Token> tokens = list(TOKENS, "token", AccessPlan.Token::read);
        requireDifferent(users.stream().map(AccessPlan.User::name).toList(), "users");
        requireDifferent(tokens.stream().map(AccessPlan.Token::name).toList(), "tokens");
        Section rest = document.section("access", Set.of(USERS, TOKENS));
        Optional<AccessPlan> plan = ServerConfigReader.read(rest, complaints, section -> {
            Settings own = settings.apply(section);
            AccessPlan.Sessions sessions = AccessPlan.sessions(own);
            List<AddressRange> proxies = AccessPlan.trustedProxies(own);
            return new AccessPlan(users, tokens, OidcPlan.read(own), sessions, proxies);
        });
        return complaints.count() > before ? Optional.empty() : plan;
    }

    private <T> List<T> list(String name, String owner, Function<Settings, T> reader) {
        List<T> all = new ArrayList<>();
        for (Section entry : document.list("access", name, owner)) {
            String own = entry.values().getOrDefault("name", "");
            Section named = entry.ownedBy(own.isBlank() ? owner : owner + " " + own.strip());
            ServerConfigReader.read(named, complaints, each -> reader.apply(settings.apply(each)))
                    .ifPresent(all::add);
        }
        return all;
    }

    private void requireDifferent(List<String> names, String what) {
        Set<String> seen = new HashSet<>();
        names.stream()
                .filter(name -> !seen.add(name))
                .forEach(name ->
                        complaints.add(document.lineOf("access"), "access: two " + what + " are named " + name));
    }
}
