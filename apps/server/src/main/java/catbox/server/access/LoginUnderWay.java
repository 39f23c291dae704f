package catbox.server.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.crypto.encrypt.AesBytesEncryptor;
import org.springframework.security.crypto.encrypt.AesBytesEncryptor.CipherAlgorithm;
import org.springframework.security.crypto.encrypt.BytesEncryptor;
import org.springframework.security.crypto.keygen.KeyGenerators;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.web.util.WebUtils;

/**
 * What has to be remembered of somebody while he is at the OpenID provider: in a cookie of his, for ten minutes. In
 * memory it would have no bound, since whoever is not known can ask to be sent to the provider as often as he likes. The
 * cookie is encrypted with a key that lives as long as this server, so it says nothing and cannot be made up.
 */
final class LoginUnderWay implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {

    static final String COOKIE = "catbox-login";

    private static final String PATH = "/login/oauth2";
    private static final Duration LASTS = Duration.ofMinutes(10);
    private static final int KEY_BYTES = 32;

    private final OidcProvider provider;
    private final boolean secure;
    private final InstantSource time;
    private final BytesEncryptor cipher = new AesBytesEncryptor(
            new SecretKeySpec(KeyGenerators.secureRandom(KEY_BYTES).generateKey(), "AES"),
            CipherAlgorithm.GCM.defaultIvGenerator(),
            CipherAlgorithm.GCM);

    LoginUnderWay(OidcProvider provider, boolean secure, InstantSource time) {
        this.provider = provider;
        this.secure = secure;
        this.time = time;
    }

    @Override
    public void saveAuthorizationRequest(
            @Nullable OAuth2AuthorizationRequest begun, HttpServletRequest request, HttpServletResponse response) {
        if (begun != null) {
            List<String> lines = List.of(
                    time.instant().plus(LASTS).toString(),
                    String.valueOf(begun.getState()),
                    String.valueOf(begun.getRedirectUri()),
                    String.valueOf(begun.<Object>getAttribute(OidcParameterNames.NONCE)),
                    String.valueOf(begun.<Object>getAttribute(PkceParameterNames.CODE_VERIFIER)));
            set(response, sealed(String.join("\n", lines)), LASTS);
        }
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
        String state = request.getParameter(OAuth2ParameterNames.STATE);
        return Optional.ofNullable(WebUtils.getCookie(request, COOKIE))
                .flatMap(cookie -> opened(cookie.getValue()))
                .map(text -> text.split("\n", -1))
                .filter(lines -> time.instant().isBefore(Instant.parse(lines[0])) && lines[1].equals(state))
                .map(lines -> begun(provider.registration(), lines))
                .orElse(null);
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
            HttpServletRequest request, HttpServletResponse response) {
        OAuth2AuthorizationRequest begun = loadAuthorizationRequest(request);
        if (begun != null) {
            set(response, "", Duration.ZERO);
        }
        return begun;
    }

    private static OAuth2AuthorizationRequest begun(ClientRegistration registration, String[] lines) {
        return OAuth2AuthorizationRequest.authorizationCode()
                .authorizationUri(
                        Objects.requireNonNull(registration.getProviderDetails().getAuthorizationUri()))
                .clientId(registration.getClientId())
                .scopes(registration.getScopes())
                .state(lines[1])
                .redirectUri(lines[2])
                .attributes(Map.of(
                        OAuth2ParameterNames.REGISTRATION_ID,
                        registration.getRegistrationId(),
                        OidcParameterNames.NONCE,
                        lines[3],
                        PkceParameterNames.CODE_VERIFIER,
                        lines[4]))
                .build();
    }

    // ---- the cookie ------------------------------------------------------------------------------------------------

    private void set(HttpServletResponse response, String value, Duration lasts) {
        response.addHeader(
                HttpHeaders.SET_COOKIE,
                ResponseCookie.from(COOKIE, value)
                        .path(PATH)
                        .maxAge(lasts)
                        .httpOnly(true)
                        .secure(secure)
                        .sameSite("Lax") // It has to come along when the provider sends the browser back.
                        .build()
                        .toString());
    }

    private String sealed(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(cipher.encrypt(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Empty for what was not sealed here, whatever it is. */
    private Optional<String> opened(String value) {
        try {
            return Optional.of(
                    new String(cipher.decrypt(Base64.getUrlDecoder().decode(value)), StandardCharsets.UTF_8));
        } catch (RuntimeException e) { // It has a different class for each thing that can be wrong.
            return Optional.empty();
        }
    }
}
