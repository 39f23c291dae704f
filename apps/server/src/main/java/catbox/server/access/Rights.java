package catbox.server.access;

import java.util.ArrayList;
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
 * What somebody may do.
 *
 * @param role null for nothing at all
 * @param payloadRead whether he may see what events carry
 */
public record Rights(@Nullable Role role, boolean payloadRead) {

    private static final String PREFIX = "catbox-";
    private static final String PAYLOAD_READ = PREFIX + "payload-read";

    /** The only place that decides whether an operation is allowed. */
    public boolean may(Operation operation) {
        return role != null && role.includes(operation.role()) && (operation != Operation.REVEAL || payloadRead);
    }

    // ---- as authorities, which are called as the roles of an OpenID provider are
    // --------------------------------------

    static Rights of(Collection<? extends GrantedAuthority> authorities) {
        return ofNames(AuthorityUtils.authorityListToSet(authorities));
    }

    /** The highest of the roles counts; other names mean nothing here. */
    static Rights ofNames(Set<String> names) {
        Role highest = null;
        for (Role role : Role.values()) {
            if (names.contains(name(role))) {
                highest = role;
            }
        }
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
