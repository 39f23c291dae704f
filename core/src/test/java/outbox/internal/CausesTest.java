package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class CausesTest {

    @Test
    void findsTheFirstCauseOfAKindAndTheRoot() {
        IOException inner = new IOException("inner");
        Throwable failure = new IllegalStateException(new IOException("outer", inner));

        assertThat(Causes.find(failure, IOException.class)).hasMessage("outer");
        assertThat(Causes.has(failure, ConnectException.class)).isFalse();
        assertThat(Causes.root(failure)).isSameAs(inner);
    }

    @Test
    void endsWhenTheCausesFormACircle() {
        Exception one = new Exception("one");
        Exception other = new Exception("other", one);
        one.initCause(other);

        assertThat(Causes.of(one)).hasSize(50);
    }

    @Test
    void tlsThatFailsAfterTheHandshakeMayHaveSentTheEvent() {
        assertThat(Causes.isBeforeSending(new IOException(new SSLHandshakeException("no"))))
                .isTrue();
        assertThat(Causes.isBeforeSending(new IOException(new SSLException("no"))))
                .isFalse();
    }
}
