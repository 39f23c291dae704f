package catbox.server.web;

import catbox.console.Sources;
import catbox.server.access.Principal;
import catbox.server.api.SourceAdmins;
import catbox.server.config.AccessPlan;
import catbox.server.pulse.Pulses;
import java.util.List;
import java.util.Locale;
import outbox.admin.OutboxAdmin;
import outbox.admin.Role;

/** Connects the console to the sources of the server, with the rights of the current user. */
final class ConsoleSources implements Sources {

    private final SourceAdmins admins;
    private final Pulses pulses;
    private final AccessPlan access;

    ConsoleSources(SourceAdmins admins, Pulses pulses, AccessPlan access) {
        this.admins = admins;
        this.pulses = pulses;
        this.access = access;
    }

    @Override
    public List<State> states() {
        return admins.all().stream()
                .map(source ->
                        new State(source.name(), source.state().name().toLowerCase(Locale.ROOT), source.problem()))
                .toList();
    }

    @Override
    public OutboxAdmin admin(String source) {
        return admins.of(source, Principal.current());
    }

    @Override
    public Rights rights() {
        Principal user = Principal.current();
        Role role = user.rights().role();
        String description = (role == null ? "no role" : role.name().toLowerCase(Locale.ROOT))
                + (user.rights().payloadRead() ? ", reads payloads" : "");
        return new Rights(user.name(), description, user.rights()::may);
    }

    @Override
    public Logins logins() {
        return new Logins(!access.users().isEmpty(), access.oidc().isPresent());
    }

    @Override
    public List<Pulse> pulses(String source) {
        return pulses.history(source).stream()
                .map(pulse -> new Pulse(
                        pulse.at(),
                        pulse.deliveredPerSecond(),
                        pulse.failedPerSecond(),
                        pulse.latencyP50Millis(),
                        pulse.latencyP99Millis(),
                        pulse.pending(),
                        pulse.oldestPendingSeconds(),
                        pulse.dead()))
                .toList();
    }
}
