package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.server.Eventually;
import catbox.server.config.OidcPlan;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import outbox.testkit.ManualTime;

/** Against a provider of a few lines, which can be broken and counts how often it is asked. */
class OidcProviderTest {

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger askedForKeys = new AtomicInteger();
    private final ManualTime time = new ManualTime();
    private HttpServer server;
    private String issuer;
    private OidcProvider provider;
    private volatile ECKey key; // read by the server's thread
    private volatile boolean broken; // the same
    private volatile CountDownLatch held = new CountDownLatch(0); // the same

    @BeforeEach
    void start() throws Exception {
        key = key("first");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        issuer = "http://127.0.0.1:" + server.getAddress().getPort();
        provider = new OidcProvider(new OidcPlan(issuer, "catbox", Optional.empty(), "roles"), Optional.empty(), time);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void isNotCalledAgainWithinFiveSecondsOfAFailure() {
        broken = true;
        for (int n = 0; n < 100; n++) {
            assertThatThrownBy(() -> provider.authenticate("any")).isInstanceOf(OidcUnreachableException.class);
        }
        assertThat(asked).hasValue(1);

        time.advance(Duration.ofSeconds(5));
        assertThatThrownBy(() -> provider.authenticate("any")).isInstanceOf(OidcUnreachableException.class);
        assertThat(asked).hasValue(2);
    }

    @Test
    void isCheckedAgainBeforeABrowserIsSentThere() throws Exception {
        assertThat(provider.isReachable()).isTrue();
        broken = true;
        assertThat(provider.isReachable())
                .describedAs("it answered a moment ago")
                .isTrue();

        time.advance(Duration.ofSeconds(1));
        assertThat(provider.isReachable()).isFalse();
        broken = false;
        assertThat(provider.isReachable()).describedAs("it failed a moment ago").isFalse();
        time.advance(Duration.ofSeconds(5));
        assertThat(provider.isReachable()).isTrue();
    }

    @Test
    void checksTokensWithoutItOnceItsKeysAreKnown() throws Exception {
        String token = token(key, JOSEObjectType.JWT);
        assertThat(provider.authenticate(token).getName()).isEqualTo("oidc:anna (id-of-anna)");
        broken = true;
        time.advance(Duration.ofMinutes(1));

        assertThat(provider.isReachable()).isFalse();
        assertThat(provider.authenticate(token).getName()).isEqualTo("oidc:anna (id-of-anna)");
    }

    @Test
    void tokensWithUnknownKeysDoNotHaveTheKeysFetchedEachTime() throws Exception {
        provider.authenticate(token(key, JOSEObjectType.JWT));
        for (int n = 0; n < 50; n++) {
            String token = token(key("made-up-" + n), JOSEObjectType.JWT);
            assertThatThrownBy(() -> provider.authenticate(token)).isInstanceOf(InvalidBearerTokenException.class);
        }

        assertThat(askedForKeys).hasValueLessThanOrEqualTo(4); // Two at most in ten seconds, and a slow machine.
    }

    @Test
    void rejectsNoTokenWhileItsKeysCannotBeFetched() throws Exception {
        String token = token(key, JOSEObjectType.JWT);
        assertThat(provider.isReachable()).isTrue();
        broken = true;
        for (int n = 0; n < 5; n++) { // More often than they are fetched.
            assertThatThrownBy(() -> provider.authenticate(token)).isInstanceOf(OidcUnreachableException.class);
        }
        assertThat(askedForKeys).hasValueLessThan(5);
    }

    @Test
    void aSecondRequestDoesNotWaitForTheAnswerToTheFirst() throws Exception {
        held = new CountDownLatch(1);
        Thread first = Thread.ofVirtual().start(provider::isReachable);
        try {
            Eventually.happens("it is asked", () -> asked.get() == 1);

            assertThatThrownBy(() -> provider.authenticate("any"))
                    .isInstanceOf(OidcUnreachableException.class)
                    .hasMessageEndingWith("another request waits for its answer");
        } finally {
            held.countDown();
            first.join();
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void acceptsANewKey() throws Exception {
        provider.authenticate(token(key, JOSEObjectType.JWT));
        key = key("second");

        assertThat(provider.authenticate(token(key, JOSEObjectType.JWT)).getName())
                .startsWith("oidc:anna");
    }

    @Test
    void acceptsBothTypesOfAccessTokens() throws Exception {
        assertThat(provider.authenticate(token(key, new JOSEObjectType("at+jwt")))
                        .getAuthorities())
                .hasSize(1);
        String other = token(key, new JOSEObjectType("logout+jwt"));
        assertThatThrownBy(() -> provider.authenticate(other)).isInstanceOf(InvalidBearerTokenException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "JWT, typ, Bearer, true",
        "JWT, typ, ID, false",
        "JWT, typ, Refresh, false",
        "JWT, nonce, n, false",
        "JWT, at_hash, h, false",
        "JWT, c_hash, h, false",
        "JWT, other, o, true",
        "at+jwt, nonce, n, true",
        "application/at+jwt, typ, X, true",
    })
    void takesNoIdTokenForAnAccessToken(String type, String claim, String value, boolean taken) throws Exception {
        String token = token(key, new JOSEObjectType(type), claims -> claims.claim(claim, value));
        if (taken) {
            assertThat(provider.authenticate(token).getAuthorities()).hasSize(1);
        } else {
            assertThatThrownBy(() -> provider.authenticate(token)).isInstanceOf(InvalidBearerTokenException.class);
        }
    }

    @Test
    void anAccessTokenForAnotherApiHasRolesForItsLoginAndIsNoBearerToken() throws Exception {
        String token = token(
                key,
                JOSEObjectType.JWT,
                claims -> claims.audience("another-api").claim("azp", "catbox").claim("nonce", "n"));
        Instant now = Instant.now();
        OAuth2AccessToken access =
                new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, token, now, now.plusSeconds(60));
        OidcIdToken login = new OidcIdToken("t", now, now.plusSeconds(60), Map.of("sub", "id-of-anna"));

        assertThat(provider.user(new OidcUserRequest(provider.registration(), access, login))
                        .getAuthorities())
                .hasSize(1);
        assertThatThrownBy(() -> provider.authenticate(token)).isInstanceOf(InvalidBearerTokenException.class);
    }

    @Test
    void makesTheDecoderOfIdTokensOnce() {
        assertThat(provider.idTokens()).isSameAs(provider.idTokens());
        time.advance(Duration.ofMinutes(1));
        assertThat(provider.isReachable()).isTrue();
        assertThat(asked).hasValue(2);
        assertThat(provider.idTokens()).isSameAs(provider.idTokens());
    }

    // ---- the provider ----------------------------------------------------------------------------------------------

    private void answer(HttpExchange exchange) throws IOException {
        boolean keys = exchange.getRequestURI().getPath().equals("/keys");
        (keys ? askedForKeys : asked).incrementAndGet();
        try {
            held.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        byte[] body =
                (keys ? new JWKSet(key.toPublicJWK()).toString() : configuration()).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(broken ? 500 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String configuration() {
        return """
                { "issuer": "%1$s", "jwks_uri": "%1$s/keys", "authorization_endpoint": "%1$s/authorize",
                  "token_endpoint": "%1$s/token", "subject_types_supported": ["public"],
                  "response_types_supported": ["code"], "id_token_signing_alg_values_supported": ["ES256"] }
                """.formatted(issuer);
    }

    private static ECKey key(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    private String token(ECKey by, JOSEObjectType type) throws JOSEException {
        return token(by, type, claims -> {});
    }

    private String token(ECKey by, JOSEObjectType type, Consumer<JWTClaimsSet.Builder> more) throws JOSEException {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience("catbox")
                .subject("id-of-anna")
                .claim("preferred_username", "anna")
                .claim("roles", List.of("catbox-viewer"))
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
        more.accept(claims);
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .keyID(by.getKeyID())
                        .type(type)
                        .build(),
                claims.build());
        token.sign(new ECDSASigner(by));
        return token.serialize();
    }
}
