package catbox.server.access;

import jakarta.servlet.http.HttpSession;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import outbox.admin.Operation;

/**
 * Who asks.
 *
 * @param name as the audit has it: {@code anna} of the file, {@code token:ci}, {@code oidc:anna (f81d4fae)} of the
 *     provider, with the id that it will never give to anybody else
 */
public record Principal(String name, Rights rights) {

    private static final int NAME_CHARS_MAX = 100;

    /** Who asks for what this thread answers. */
    public static Principal current() {
        return Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
                .map(Principal::of)
                .orElseThrow(() -> new IllegalStateException("nobody asks on this thread"));
    }

    /** Whether whoever asks for what this thread answers has been let in. */
    public static boolean isKnown() {
        return isKnown(SecurityContextHolder.getContext());
    }

    /** Whether a session is that of a person who has been let in. */
    public static boolean isKnown(@Nullable HttpSession session) {
        return session != null
                && session.getAttribute(HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY)
                        instanceof SecurityContext context
                && isKnown(context);
    }

    private static boolean isKnown(SecurityContext context) {
        Authentication who = context.getAuthentication();
        return who != null && who.isAuthenticated() && !(who instanceof AnonymousAuthenticationToken);
    }

    public static Principal of(Authentication authentication) {
        String name =
                authentication.getPrincipal() instanceof OidcUser user ? ofProvider(user) : authentication.getName();
        return new Principal(name, Rights.of(authentication.getAuthorities()));
    }

    static String ofProvider(OidcUser user) {
        return ofProvider(user.getPreferredUsername(), user.getSubject());
    }

    static String ofProvider(Jwt token) {
        return ofProvider(token.getClaimAsString("preferred_username"), token.getSubject());
    }

    // The prefix keeps whoever the provider lets in from being taken for somebody of the file. Names can be changed,
    // and
    // given to another when their owner has gone; what the provider calls the subject cannot.
    private static String ofProvider(@Nullable String preferred, @Nullable String subject) {
        String id = cut(String.valueOf(subject));
        return "oidc:" + (preferred == null || preferred.isBlank() ? id : cut(preferred) + " (" + id + ")");
    }

    private static String cut(String text) {
        return text.length() > NAME_CHARS_MAX ? text.substring(0, NAME_CHARS_MAX) : text;
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
