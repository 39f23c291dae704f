package catbox.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import outbox.testkit.ManualTime;

class BoundedInputTest {

    private static final List<SimpleGrantedAuthority> SOME = List.of(new SimpleGrantedAuthority("some"));

    private final ManualTime time = new ManualTime();
    private final BoundedInput input = new BoundedInput(new Endless(), time);

    /** A body that never ends, and comes in parts of a kilobyte. */
    private static final class Endless implements InputBuffer {

        @Override
        public int doRead(ApplicationBufferHandler handler) {
            return 1024;
        }

        @Override
        public int available() {
            return 1024;
        }
    }

    @AfterEach
    void forget() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void givesAnUnknownSenderFiveSecondsHoweverFastItSends() throws IOException {
        time.advance(Duration.ofSeconds(5));
        assertThat(read()).isEqualTo(1024);
        time.advance(Duration.ofMillis(1));

        assertThatThrownBy(this::read).isInstanceOf(BadRequestException.class).hasMessageContaining("within 5 s");
    }

    @Test
    void takes64KilobytesFromAnUnknownSender() throws IOException {
        asks(new AnonymousAuthenticationToken("key", "nobody", SOME));
        for (int kilobytes = 0; kilobytes < 64; kilobytes++) {
            read();
        }

        assertThatThrownBy(this::read).isInstanceOf(BadRequestException.class).hasMessageContaining("65536 bytes");
    }

    @Test
    void givesAnAuthenticatedSenderMoreOfBoth() throws IOException {
        asks(UsernamePasswordAuthenticationToken.authenticated("anna", "", SOME));
        time.advance(Duration.ofSeconds(60));
        for (int kilobytes = 0; kilobytes < 8 << 10; kilobytes++) {
            read();
        }
        assertThatThrownBy(this::read).hasMessageContaining("8388608 bytes");

        time.advance(Duration.ofMillis(1));
        assertThatThrownBy(this::read).hasMessageContaining("within 60 s");
    }

    private int read() throws IOException {
        return input.doRead(ApplicationBufferHandler.EMPTY);
    }

    private static void asks(Authentication who) {
        SecurityContextHolder.getContext().setAuthentication(who);
    }
}
