package catbox.server.access;

import catbox.server.config.AccessPlan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
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

/** Authenticates the users of the server's file by their passwords, and keeps passwords from being guessed. */
final class PasswordLogins implements AuthenticationProvider {

    /** No user has a longer name, and no longer one is kept in memory. */
    private static final int NAME_CHARS_MAX = 100;

    private static final int COST_DEFAULT = 12;

    /** Hashing keeps a processor busy, so half of them are left to everything else. */
    private static final int CHECKS_MAX = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final Semaphore checks = new Semaphore(CHECKS_MAX);
    private final DaoAuthenticationProvider passwords = new DaoAuthenticationProvider(this::details);
    private final LoginThrottle throttle;
    private final Map<String, AccessPlan.User> users;

    PasswordLogins(List<AccessPlan.User> users, LoginThrottle throttle) {
        this.throttle = throttle;
        this.users = users.stream().collect(Collectors.toMap(AccessPlan.User::name, Function.identity()));
        passwords.setPasswordEncoder(encoder(users));
    }

    /** Takes as long for an unknown user as for the slowest hash, so that the duration reveals nothing. */
    static PasswordEncoder encoder(List<AccessPlan.User> users) {
        int cost = users.stream()
                .mapToInt(user -> Integer.parseInt(user.passwordHash().reveal().split("\\$", -1)[2]))
                .max()
                .orElse(COST_DEFAULT);
        return new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(cost)));
    }

    private UserDetails details(String name) {
        AccessPlan.User user = users.get(name);
        if (user == null) {
            throw new UsernameNotFoundException("no such user");
        }
        return User.withUsername(name)
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
        // Users sometimes type their password into the name field.
        String logged = users.containsKey(user) ? user : "an unknown user";
        if (!throttle.admits(user, address)) {
            if (throttle.shouldLog(user, address)) {
                LoginLog.blocked(logged, address);
            }
            throw new LockedException("too many attempts");
        }
        checks.acquireUninterruptibly();
        try {
            Authentication authenticated = passwords.authenticate(login);
            throttle.succeeded(user, address);
            return authenticated;
        } catch (AuthenticationException e) {
            LoginLog.refused(logged, "incorrect name or password", address);
            throw e;
        } finally {
            checks.release();
        }
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
