package catbox.server.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import outbox.admin.Operation;

/**
 * Who asks.
 *
 * @param name as the audit has it: {@code anna} of the file, {@code token:ci}, {@code oidc:anna} of the provider
 */
public record Person(String name, Rights rights) {

    private static final int NAME_CHARS_MAX = 100;

    /** Who asks for what this thread answers. */
    public static Person current() {
        return Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
                .map(Person::of)
                .orElseThrow(() -> new IllegalStateException("nobody asks on this thread"));
    }

    public static Person of(Authentication authentication) {
        String name = authentication.getPrincipal() instanceof OidcUser user
                ? ofProvider(user.getPreferredUsername(), user.getSubject())
                : authentication.getName();
        return new Person(name, Rights.of(authentication.getAuthorities()));
    }

    static String ofProvider(Jwt token) {
        return ofProvider(token.getClaimAsString("preferred_username"), token.getSubject());
    }

    // The prefix keeps whoever the provider lets in from being taken for somebody of the file.
    private static String ofProvider(@Nullable String preferred, @Nullable String subject) {
        String name = preferred == null || preferred.isBlank() ? String.valueOf(subject) : preferred;
        return "oidc:" + (name.length() > NAME_CHARS_MAX ? name.substring(0, NAME_CHARS_MAX) : name);
    }

    /**
     * Refuses what he may not do.
     *
     * @throws ForbiddenException naming what it takes
     */
    public void require(Operation operation) {
        if (!rights.may(operation)) {
            throw new ForbiddenException(this, operation);
        }
    }
}
