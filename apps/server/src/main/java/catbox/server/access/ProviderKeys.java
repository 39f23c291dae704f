package catbox.server.access;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetSourceWrapper;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
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
        JWKSetSource<SecurityContext> there =
                new URLBasedJWKSetSource<>(url(address), new DefaultResourceRetriever(millisMax, millisMax, BYTES_MAX));
        this.limited = JWKSourceBuilder.create(new Fetches(there))
                .refreshAheadCache(false)
                .rateLimited(FETCH_INTERVAL.toMillis())
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

    private final class Fetches extends JWKSetSourceWrapper<SecurityContext> {

        Fetches(JWKSetSource<SecurityContext> there) {
            super(there);
        }

        @Override
        public JWKSet getJWKSet(
                JWKSetCacheRefreshEvaluator refresh, long currentTime, @Nullable SecurityContext context)
                throws KeySourceException {
            try {
                JWKSet keys = getSource().getJWKSet(refresh, currentTime, context);
                unreachable = false;
                return keys;
            } catch (KeySourceException | RuntimeException e) {
                unreachable = true;
                throw e;
            }
        }
    }
}
