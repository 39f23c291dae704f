package catbox.server.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import outbox.admin.Operation;
import outbox.admin.Role;

/**
 * The role of a principal, and whether it may read payloads. As Spring Security's authorities they have the names of
 * the OpenID provider's roles.
 *
 * @param role null for none, which allows nothing
 */
public record Rights(@Nullable Role role, boolean payloadRead) {

    static final Rights NONE = new Rights(null, false);

    private static final String PREFIX = "catbox-";
    private static final String PAYLOAD_READ = PREFIX + "payload-read";

    /** The only method that decides whether an operation is allowed. */
    public boolean may(Operation operation) {
        return role != null && role.includes(operation.role()) && (operation != Operation.REVEAL || payloadRead);
    }

    static Rights of(Collection<? extends GrantedAuthority> authorities) {
        return ofNames(AuthorityUtils.authorityListToSet(authorities));
    }

    /** The highest role counts; other names are ignored. */
    static Rights ofNames(Set<String> names) {
        Role highest = Arrays.stream(Role.values())
                .filter(role -> names.contains(name(role)))
                .reduce((lower, higher) -> higher)
                .orElse(null);
        return new Rights(highest, names.contains(PAYLOAD_READ));
    }

    List<GrantedAuthority> authorities() {
        List<String> names = new ArrayList<>();
        if (role != null) {
            names.add(name(role));
        }
        if (payloadRead) {
            names.add(PAYLOAD_READ);
        }
        return AuthorityUtils.createAuthorityList(names);
    }

    static String name(Role role) {
        return PREFIX + role.name().toLowerCase(Locale.ROOT);
    }
}
