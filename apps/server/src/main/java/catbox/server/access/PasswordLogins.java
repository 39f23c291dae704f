package catbox.server.access;

import catbox.server.config.AccessPlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Knows the users of the file by their passwords, and does not let passwords be guessed. */
final class PasswordLogins implements AuthenticationProvider {

    /** Nobody has a longer name, and nothing longer is kept in memory. */
    private static final int NAME_CHARS_MAX = 100;

    private static final int COST_DEFAULT = 12;

    /** Hashing takes a processor for as long as it lasts, and nothing else may wait for it. */
    private static final int CHECKS_MAX = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final Semaphore checks = new Semaphore(CHECKS_MAX);
    private final DaoAuthenticationProvider passwords;
    private final LoginThrottle throttle;
    private final Set<String> names;

    PasswordLogins(List<AccessPlan.User> users, LoginThrottle throttle) {
        this.throttle = throttle;
        // Looks at a password even when there is no such user, so that the time tells nothing.
        this.passwords = new DaoAuthenticationProvider(name -> users.stream()
                .filter(user -> user.name().equals(name))
                .findFirst()
                .map(PasswordLogins::details)
                .orElseThrow(() -> new UsernameNotFoundException("no such user")));
        passwords.setPasswordEncoder(encoder(users));
        this.names = users.stream().map(AccessPlan.User::name).collect(Collectors.toUnmodifiableSet());
    }

    /** Takes as long over the password of nobody as over that of the user whose hash takes longest. */
    static PasswordEncoder encoder(List<AccessPlan.User> users) {
        int cost = users.stream()
                .mapToInt(user -> Integer.parseInt(user.passwordHash().reveal().split("\\$", -1)[2]))
                .max()
                .orElse(COST_DEFAULT);
        return new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(cost)));
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
        String address = login.getDetails() instanceof String details ? details : "";
        if (user.isEmpty() || user.length() > NAME_CHARS_MAX) {
            throw new BadCredentialsException("no such user");
        }
        if (!throttle.admits(user, address)) {
            if (throttle.isNews(user, address)) {
                LoginLog.stopped(inTheLog(user), address);
            }
            throw new LockedException("too many attempts");
        }
        checks.acquireUninterruptibly();
        try {
            Authentication known = passwords.authenticate(login);
            throttle.succeeded(user, address);
            return known;
        } catch (AuthenticationException e) {
            LoginLog.refused(inTheLog(user), "wrong name or password", address);
            throw e;
        } finally {
            checks.release();
        }
    }

    // People type their password where the name belongs.
    private String inTheLog(String user) {
        return names.contains(user) ? user : "somebody who is not known";
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
