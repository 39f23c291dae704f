package outbox.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import outbox.internal.Causes;
import outbox.internal.ErrorText;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

/** Describes requests that failed without a response, and converts them to outcomes. */
final class FailureText {

    private FailureText() {}

    /** Returns the cause behind the wrappers of futures and streams. */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException
                        || cause instanceof CompletionException
                        || cause instanceof UncheckedIOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Returns the outcome of a request's events. A request that was sent may have arrived. */
    static Outcome outcome(String place, Throwable failure) {
        String message = of(place, failure);
        if (Causes.isBeforeSending(failure)
                || Causes.has(failure, AddressGuard.RefusedAddressException.class)
                || Causes.has(failure, HttpConnectTimeoutException.class)) {
            return new Outcome.Unavailable(message, Scope.DESTINATION);
        }
        boolean sent = Causes.has(failure, IOException.class) || Causes.has(failure, TimeoutException.class);
        return sent ? Outcome.Retryable.unanswered(message) : new Outcome.Retryable(message, null);
    }

    /** Returns whether the response was late. */
    static boolean isLate(Throwable failure) {
        return (Causes.has(failure, HttpTimeoutException.class) || Causes.has(failure, TimeoutException.class))
                && !Causes.has(failure, HttpConnectTimeoutException.class);
    }

    /** Describes why the server could not be reached or did not respond. */
    static String of(String place, Throwable failure) {
        Throwable refused = Causes.find(failure, AddressGuard.RefusedAddressException.class);
        if (refused != null) {
            return place + ": " + refused.getMessage();
        }
        if (Causes.has(failure, UnknownHostException.class) || Causes.has(failure, UnresolvedAddressException.class)) {
            return place + ": the host is unknown";
        }
        if (Causes.has(failure, HttpConnectTimeoutException.class)) {
            return place + ": no connection within the connect timeout";
        }
        if (isLate(failure)) {
            return place + ": no response within the request timeout";
        }
        if (Causes.has(failure, SSLException.class) || Causes.has(failure, CertificateException.class)) {
            return place + ": TLS failed: " + message(failure);
        }
        if (Causes.has(failure, NoRouteToHostException.class)) {
            return place + ": there is no route to the host";
        }
        if (Causes.has(failure, ConnectException.class)) {
            return place + ": the connection was refused";
        }
        return place + ": the request failed: " + message(failure);
    }

    private static String message(Throwable failure) {
        return excerpt(ErrorText.of(failure), 500);
    }

    /** Returns the first printable characters of a text, on one line. */
    static String excerpt(String text, int charsMax) {
        String line = text.substring(0, Math.min(text.length(), charsMax * 4))
                .replaceAll("[^\\x20-\\x7E]+", " ")
                .strip();
        return line.length() <= charsMax ? line : line.substring(0, charsMax);
    }
}
