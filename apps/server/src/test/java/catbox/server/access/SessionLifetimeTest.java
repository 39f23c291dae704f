package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.testkit.ManualTime;

class SessionLifetimeTest {

    private final ManualTime time = new ManualTime();
    private final SessionLifetime lifetime = new SessionLifetime(Duration.ofHours(12), time);
    private final Map<String, Object> attributes = new HashMap<>();
    private final AtomicInteger forwarded = new AtomicInteger();
    private final HttpSession session = fake(HttpSession.class, this::answer);
    private boolean ended;

    @Test
    void endsASessionAfterItsLifetime() throws Exception {
        lifetime.start(session);
        time.advance(Duration.ofHours(12));
        request();
        assertThat(ended).isFalse();

        time.advance(Duration.ofMillis(1));
        request();
        assertThat(ended).isTrue();
        assertThat(forwarded).hasValue(2);
    }

    @Test
    void aSecondLoginInTheSameSessionBeginsANewLifetime() throws Exception {
        lifetime.start(session);
        time.advance(Duration.ofHours(11));
        lifetime.start(session);
        time.advance(Duration.ofHours(11));
        request();

        assertThat(ended).isFalse();
    }

    @Test
    void forwardsARequestWhoseSessionAnotherRequestHasEnded() throws Exception {
        ended = true;
        request();

        assertThat(forwarded).hasValue(1);
    }

    private void request() throws Exception {
        lifetime.doFilterInternal(
                fake(HttpServletRequest.class, (method, arguments) -> session),
                fake(HttpServletResponse.class, (method, arguments) -> null),
                (request, response) -> forwarded.incrementAndGet());
    }

    /** Like the container's session: after its end every method throws. */
    private Object answer(String method, Object[] arguments) {
        if (ended) {
            throw new IllegalStateException("the session has ended");
        }
        return switch (method) {
            case "getAttribute" -> attributes.get(arguments[0]);
            case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
            case "invalidate" -> {
                ended = true;
                yield null;
            }
            default -> throw new UnsupportedOperationException(method);
        };
    }

    private interface Answers {
        Object to(String method, Object[] arguments);
    }

    private static <T> T fake(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        answers.to(method.getName(), arguments == null ? new Object[0] : arguments)));
    }
}
