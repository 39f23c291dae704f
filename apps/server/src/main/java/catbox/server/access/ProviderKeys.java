package catbox.server.access;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.health.HealthStatus;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches and caches the provider's keys. A token with an unknown key has them fetched again, because providers replace
 * keys, but at a limited rate, because anyone can send such tokens. At the limit, an unknown key counts as missing,
 * unless the last fetch failed: then the key may exist.
 */
final class ProviderKeys implements JWKSource<SecurityContext> {

    private static final Duration FETCH_INTERVAL = Duration.ofSeconds(10);
    private static final int BYTES_MAX = 1 << 20;

    private final JWKSource<SecurityContext> limited;
    private volatile boolean unreachable; // whether the last fetch failed; written by the thread that fetches

    ProviderKeys(String address, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        this.limited = JWKSourceBuilder.create(url(address), new DefaultResourceRetriever(millis, millis, BYTES_MAX))
                .refreshAheadCache(false)
                .rateLimited(FETCH_INTERVAL.toMillis())
                .healthReporting(fetch -> unreachable = fetch.getHealthStatus() == HealthStatus.NOT_HEALTHY)
                .build();
    }

    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) throws KeySourceException {
        try {
            return limited.get(selector, context);
        } catch (RateLimitReachedException e) {
            if (unreachable) {
                throw new JWKSetUnavailableException("the last fetch of the keys failed", e);
            }
            return List.of();
        }
    }

    private static URL url(String address) {
        try {
            return URI.create(address).toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("the provider's jwks_uri is wrong: " + address, e);
        }
    }
}
