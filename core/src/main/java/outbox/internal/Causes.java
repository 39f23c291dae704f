package outbox.internal;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Searches a failure and its causes. The search is bounded, because a chain of causes may be a circle. */
public final class Causes {

    private static final int DEPTH_MAX = 50;

    /**
     * Errors that end an attempt before anything of an event is sent. Other {@link SSLException}s are not among them:
     * the receiver may have ended the connection because of what it had read.
     */
    private static final List<Class<? extends Throwable>> BEFORE_SENDING = List.of(
            UnknownHostException.class,
            UnresolvedAddressException.class,
            ConnectException.class,
            NoRouteToHostException.class,
            SSLHandshakeException.class,
            SSLPeerUnverifiedException.class,
            CertificateException.class);

    private Causes() {}

    /** Returns the failure and its causes, the failure first. */
    public static List<Throwable> of(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < DEPTH_MAX; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    /** Returns the first of them that is of this kind, or null. */
    public static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> kind) {
        return of(failure).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElse(null);
    }

    public static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        return find(failure, kind) != null;
    }

    public static Throwable root(Throwable failure) {
        return of(failure).getLast();
    }

    /** Returns whether the failure ended an attempt before anything of an event was sent. */
    public static boolean isBeforeSending(Throwable failure) {
        return BEFORE_SENDING.stream().anyMatch(kind -> has(failure, kind));
    }
}
