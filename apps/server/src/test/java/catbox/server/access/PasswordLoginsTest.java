package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.server.config.AccessPlan;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import outbox.admin.Role;
import outbox.spi.Secret;
import outbox.testkit.ManualTime;

class PasswordLoginsTest {

    private static final Logger LOG = Logger.getLogger("catbox.server.access");

    private final List<String> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line.getLevel() + " " + MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final PasswordLogins logins =
            new PasswordLogins(List.of(user("anna", 4)), new LoginThrottle(new ManualTime()));

    @BeforeEach
    void listen() {
        LOG.addHandler(handler);
    }

    @AfterEach
    void listenNoLonger() {
        LOG.removeHandler(handler);
    }

    @Test
    void takesAsLongForAnUnknownUserAsForTheSlowestHash() {
        assertThat(PasswordLogins.encoder(List.of(user("anna", 4), user("bert", 6), user("carl", 5)))
                        .encode("x"))
                .startsWith("{bcrypt}$2a$06$");
        assertThat(PasswordLogins.encoder(List.of()).encode("x")).startsWith("{bcrypt}$2a$12$");
    }

    @Test
    void logsOnceThatLoginsAreBlocked() {
        for (int n = 0; n < 50; n++) {
            refuse("anna", "wrong");
        }

        assertThat(logged)
                .hasSize(6)
                .startsWith("INFO login of anna from 10.0.0.1 refused: incorrect name or password")
                .endsWith(
                        "WARNING too many wrong passwords: logins of anna from 10.0.0.1 are blocked for up to 15 minutes");
    }

    @Test
    void neverLogsWhatAnUnknownUserTyped() {
        refuse("my-secret-by-mistake", "hunter2");

        assertThat(logged)
                .containsExactly("INFO login of an unknown user from 10.0.0.1 refused: incorrect name or password");
    }

    private void refuse(String user, String password) {
        UsernamePasswordAuthenticationToken login = UsernamePasswordAuthenticationToken.unauthenticated(user, password);
        login.setDetails("10.0.0.1");
        assertThatThrownBy(() -> logins.authenticate(login)).isInstanceOf(AuthenticationException.class);
    }

    private static AccessPlan.User user(String name, int cost) {
        String hash = "{bcrypt}" + new BCryptPasswordEncoder(cost).encode(name);
        return new AccessPlan.User(name, new Secret(hash), Role.VIEWER, false);
    }
}
