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

    private final List<String> said = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            said.add(line.getLevel() + " " + MessageFormat.format(line.getMessage(), line.getParameters()));
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
    void takesAsLongOverNobodyAsOverTheSlowestHash() {
        assertThat(PasswordLogins.encoder(List.of(user("anna", 4), user("bert", 6), user("carl", 5)))
                        .encode("x"))
                .startsWith("{bcrypt}$2a$06$");
        assertThat(PasswordLogins.encoder(List.of()).encode("x")).startsWith("{bcrypt}$2a$12$");
    }

    @Test
    void saysOnceThatNoMorePasswordsAreLookedAt() {
        for (int n = 0; n < 50; n++) {
            refuse("anna", "wrong");
        }

        assertThat(said)
                .hasSize(6)
                .startsWith("INFO a login of anna was refused, from 10.0.0.1: wrong name or password")
                .endsWith("WARNING too many wrong passwords: no more of anna are looked at for a while, from 10.0.0.1");
    }

    @Test
    void neverSaysWhatSomebodyTyped() {
        refuse("my-secret-by-mistake", "hunter2");

        assertThat(said)
                .containsExactly("INFO a login of somebody who is not known was refused, from 10.0.0.1: wrong name or"
                        + " password");
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
