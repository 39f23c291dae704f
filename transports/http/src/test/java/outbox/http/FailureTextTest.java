package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

/** Checks the table of failures in docs/destinations.md, row by row. */
class FailureTextTest {

    /**
     * A failure and its outcome.
     *
     * @param blamed the destination; nothing, since the event may have arrived; or the event
     */
    record Row(Throwable failure, String blamed, String words) {}

    static List<Row> rows() {
        return List.of(
                new Row(new ConnectException("Connection refused"), "destination", "the connection was refused"),
                new Row(new IOException(new ConnectException()), "destination", "the connection was refused"),
                new Row(new NoRouteToHostException("x"), "destination", "there is no route to the host"),
                new Row(new UnknownHostException("x"), "destination", "the host is unknown"),
                new Row(new ConnectException().initCause(new UnresolvedAddressException()), "destination", "unknown"),
                new Row(new HttpConnectTimeoutException("x"), "destination", "no connection within the connect"),
                new Row(new SSLHandshakeException("bad certificate"), "destination", "TLS failed"),
                new Row(new SSLPeerUnverifiedException("no certificate"), "destination", "TLS failed"),
                new Row(new IOException(new CertificateException("expired")), "destination", "TLS failed"),
                new Row(new AddressGuard.RefusedAddressException("it is private"), "destination", "it is private"),
                new Row(new SSLException("Unsupported or unrecognized SSL message"), "nothing", "TLS failed"),
                new Row(new SSLException("Connection reset"), "nothing", "TLS failed"),
                new Row(new SSLProtocolException("Received fatal alert"), "nothing", "TLS failed"),
                new Row(new HttpTimeoutException("x"), "nothing", "no response within the request timeout"),
                new Row(new TimeoutException(), "nothing", "no response within the request timeout"),
                new Row(new SocketException("Connection reset"), "nothing", "the request failed"),
                new Row(new IOException(new EOFException("EOF reached")), "nothing", "the request failed"),
                new Row(new IllegalStateException("a bug"), "event", "a bug"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void blamesNoEventForWhatNoEventHasCaused(Row row) {
        for (Throwable wrapped : List.of(
                row.failure(),
                new ExecutionException(row.failure()),
                new CompletionException(new UncheckedIOException(new IOException(row.failure()))))) {
            if (row.blamed().equals("event") && wrapped instanceof CompletionException) {
                continue; // As an I/O error it would match.
            }

            Outcome outcome = FailureText.outcome("there", FailureText.unwrapped(wrapped));

            assertThat(outcome.toString()).contains("there: ", row.words());
            switch (row.blamed()) {
                case "destination" ->
                    assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Unavailable.class,
                                    unavailable ->
                                            assertThat(unavailable.scope()).isEqualTo(Scope.DESTINATION));
                case "nothing" ->
                    assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Retryable.class,
                                    retryable ->
                                            assertThat(retryable.unanswered()).isTrue());
                default ->
                    assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Retryable.class,
                                    retryable ->
                                            assertThat(retryable.unanswered()).isFalse());
            }
        }
    }
}
