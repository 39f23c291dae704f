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
 * The keys of the provider. A token that names a key which is not among them has them fetched again, since keys are
 * replaced now and then; but not as often as anybody sends such tokens. While they are not fetched because of that, a key
 * that is missing is one that the provider does not have; unless it could not be asked the last time: then nobody knows.
 */
final class ProviderKeys implements JWKSource<SecurityContext> {

    private static final Duration FETCH_INTERVAL = Duration.ofSeconds(10);
    private static final int BYTES_MAX = 1 << 20;

    private final JWKSource<SecurityContext> limited;
    private volatile boolean unreachable; // when they were last fetched; written by who fetches, read by any thread

    ProviderKeys(String address, Duration answerMax) {
        int millisMax = Math.toIntExact(answerMax.toMillis());
        this.limited = JWKSourceBuilder.create(
                        url(address), new DefaultResourceRetriever(millisMax, millisMax, BYTES_MAX))
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
            throw unreachable ? new JWKSetUnavailableException("they could not be fetched a moment ago", e) : e;
        }
    }

    private static URL url(String address) {
        try {
            return URI.create(address).toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("the address of its keys is wrong: " + address, e);
        }
    }
}
