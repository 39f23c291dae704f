package outbox.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the JDK's HTTP client. It follows no redirect and connects to no address that was not checked.
 *
 * <p>If every address of the host is allowed, the client connects on its own. Otherwise it gets the checked address as
 * a proxy: for plain HTTP that is the server's own address, because every server has to accept a request line with the
 * whole URL; for TLS it is a {@link Tunnel}.
 */
final class GuardedClient implements AutoCloseable {

    private final HttpClient client;
    private final @Nullable Tunnel tunnel;

    GuardedClient(HttpConfig config, HttpContext context, ExecutorService threads) {
        AddressGuard guard = new AddressGuard(config.addresses(), context.resolver());
        URI url = config.target().baseUrl();
        boolean checked = !config.addresses().trusts(url.getHost());
        boolean tls = "https".equals(url.getScheme().toLowerCase(Locale.ROOT));
        tunnel = checked && tls ? tunnel(config, guard) : null;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(config.target().version())
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(config.limits().connectTimeout())
                .executor(threads);
        if (context.tls() != null) {
            builder.sslContext(context.tls());
        }
        if (tunnel != null) {
            builder.proxy(ProxySelector.of(tunnel.address()));
        } else if (checked) {
            builder.proxy(new CheckedAddress(guard, config.target().port()));
        } else {
            builder.proxy(HttpClient.Builder.NO_PROXY);
        }
        client = builder.build();
    }

    private static Tunnel tunnel(HttpConfig config, AddressGuard guard) {
        try {
            return new Tunnel(
                    guard,
                    config.target().baseUrl().getHost(),
                    config.target().port(),
                    config.limits().connectTimeout());
        } catch (IOException e) {
            throw new UncheckedIOException("no port can be opened on the loopback interface", e);
        }
    }

    <T> CompletableFuture<HttpResponse<T>> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return client.sendAsync(request, handler);
    }

    /** Returns the actual cause of a connect failure, if it is known here. */
    Throwable causeOf(Throwable failure) {
        if (!String.valueOf(failure.getMessage()).startsWith("Tunnel failed")) {
            return failure;
        }
        IOException tunnelFailure = tunnel == null ? null : tunnel.lastFailure();
        ConnectException connectFailure = new ConnectException("no tunnel to the host");
        connectFailure.initCause(tunnelFailure == null ? failure : tunnelFailure);
        return connectFailure;
    }

    @Override
    public void close() {
        client.shutdownNow();
        if (tunnel != null) {
            tunnel.close();
        }
    }

    /** Returns the server's checked address as its proxy. */
    private static final class CheckedAddress extends ProxySelector {

        private final AddressGuard guard;
        private final int port;

        CheckedAddress(AddressGuard guard, int port) {
            this.guard = guard;
            this.port = port;
        }

        @Override
        public List<Proxy> select(URI uri) {
            try {
                return List.of(new Proxy(
                        Proxy.Type.HTTP,
                        new InetSocketAddress(guard.addresses(uri.getHost()).get(0), port)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException e) {
            // The request itself fails and is reported.
        }
    }
}
