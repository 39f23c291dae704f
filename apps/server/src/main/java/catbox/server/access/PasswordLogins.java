package catbox.server.access;

import catbox.server.config.AccessPlan;
import java.util.List;
import java.util.Map;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** Knows the users of the file by their passwords, and does not let passwords be guessed. */
final class PasswordLogins implements AuthenticationProvider {

    /** Nobody has a longer name, and nothing longer is kept in memory. */
    private static final int NAME_CHARS_MAX = 100;

    private final DaoAuthenticationProvider passwords;
    private final LoginThrottle throttle;

    PasswordLogins(List<AccessPlan.User> users, LoginThrottle throttle) {
        this.throttle = throttle;
        // Looks at a password even when there is no such user, so that the time tells nothing.
        this.passwords = new DaoAuthenticationProvider(name -> users.stream()
                .filter(user -> user.name().equals(name))
                .findFirst()
                .map(PasswordLogins::details)
                .orElseThrow(() -> new UsernameNotFoundException("no such user")));
        passwords.setPasswordEncoder(
                new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder())));
    }

    private static UserDetails details(AccessPlan.User user) {
        return User.withUsername(user.name())
                .password(user.passwordHash().reveal())
                .authorities(new Rights(user.role(), user.payloadRead()).authorities())
                .build();
    }

    @Override
    public Authentication authenticate(Authentication login) {
        String user = login.getName();
        String address =
                login.getDetails() instanceof WebAuthenticationDetails details ? details.getRemoteAddress() : "";
        if (user.isEmpty() || user.length() > NAME_CHARS_MAX) {
            throw new BadCredentialsException("no such user");
        }
        if (!throttle.admits(user, address)) {
            throw new LockedException("too many attempts");
        }
        Authentication known = passwords.authenticate(login);
        throttle.succeeded(user, address);
        return known;
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
