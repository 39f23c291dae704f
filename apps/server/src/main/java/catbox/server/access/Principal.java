package catbox.server.access;

import jakarta.servlet.http.HttpSession;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import outbox.admin.Operation;

/**
 * An authenticated user or program.
 *
 * @param name as the audit log shows it: {@code anna} of the server's file, {@code token:ci}, or
 *     {@code oidc:anna (f81d4fae)} of the provider, with the id that it never gives to another user
 */
public record Principal(String name, Rights rights) {

    private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();
    private static final int NAME_CHARS_MAX = 100;

    /** Returns the principal of the request that this thread answers. */
    public static Principal current() {
        return Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
                .map(Principal::of)
                .orElseThrow(() -> new IllegalStateException("this thread answers no authenticated request"));
    }

    /** Returns whether the sender of the request that this thread answers is authenticated. */
    public static boolean isKnown() {
        return TRUST.isAuthenticated(SecurityContextHolder.getContext().getAuthentication());
    }

    /** Returns whether the session belongs to an authenticated user. */
    public static boolean isKnown(@Nullable HttpSession session) {
        return session != null
                && session.getAttribute(HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY)
                        instanceof SecurityContext context
                && TRUST.isAuthenticated(context.getAuthentication());
    }

    public static Principal of(Authentication authentication) {
        String name = authentication.getPrincipal() instanceof OidcUser user ? nameOf(user) : authentication.getName();
        return new Principal(name, Rights.of(authentication.getAuthorities()));
    }

    // The prefix distinguishes the provider's users from those of the file. A user name can change and be given to
    // another user; what the provider calls the subject cannot.
    static String nameOf(ClaimAccessor claims) {
        String subject = cut(String.valueOf(claims.getClaimAsString("sub")));
        String preferred = claims.getClaimAsString("preferred_username");
        return "oidc:" + (preferred == null || preferred.isBlank() ? subject : cut(preferred) + " (" + subject + ")");
    }

    private static String cut(String text) {
        return text.length() > NAME_CHARS_MAX ? text.substring(0, NAME_CHARS_MAX) : text;
    }

    /**
     * Checks that the rights allow an operation.
     *
     * @throws ForbiddenException if they do not, naming the role or right that is needed
     */
    public void require(Operation operation) {
        if (!rights.may(operation)) {
            throw new ForbiddenException(this, operation);
        }
    }
}
