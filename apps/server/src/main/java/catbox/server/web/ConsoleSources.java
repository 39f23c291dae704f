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

/** The server as its console sees it. */
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
        Principal person = Principal.current();
        Role role = person.rights().role();
        String description = (role == null ? "no role" : role.name().toLowerCase(Locale.ROOT))
                + (person.rights().payloadRead() ? ", reads payloads" : "");
        return new Rights(person.name(), description, person.rights()::may);
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
