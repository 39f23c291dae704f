package catbox.server.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.crypto.encrypt.Encryptors;
import org.springframework.security.crypto.encrypt.TextEncryptor;
import org.springframework.security.crypto.keygen.KeyGenerators;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.web.util.WebUtils;

/**
 * Keeps a login that waits for the OpenID provider in a cookie of the browser, for ten minutes. Memory would have no bound,
 * since an unknown sender can begin any number of logins. The cookie is encrypted with a key that lives as long as this
 * process, so it reveals nothing and cannot be forged.
 */
final class PendingLoginCookie implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {

    static final String NAME = "catbox-login";

    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final int KEY_BYTES = 32;

    private final OidcProvider provider;
    private final boolean secure;
    private final InstantSource time;
    private final TextEncryptor cipher = Encryptors.delux(
            HexFormat.of().formatHex(KeyGenerators.secureRandom(KEY_BYTES).generateKey()),
            KeyGenerators.string().generateKey());

    PendingLoginCookie(OidcProvider provider, boolean secure, InstantSource time) {
        this.provider = provider;
        this.secure = secure;
        this.time = time;
    }

    @Override
    public void saveAuthorizationRequest(
            @Nullable OAuth2AuthorizationRequest login, HttpServletRequest request, HttpServletResponse response) {
        if (login != null) {
            List<String> lines = List.of(
                    time.instant().plus(LIFETIME).toString(),
                    String.valueOf(login.getState()),
                    String.valueOf(login.getRedirectUri()),
                    String.valueOf(login.<Object>getAttribute(OidcParameterNames.NONCE)),
                    String.valueOf(login.<Object>getAttribute(PkceParameterNames.CODE_VERIFIER)));
            set(response, cipher.encrypt(String.join("\n", lines)), LIFETIME);
        }
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
        String state = request.getParameter(OAuth2ParameterNames.STATE);
        return Optional.ofNullable(WebUtils.getCookie(request, NAME))
                .flatMap(cookie -> decrypted(cookie.getValue()))
                .map(text -> text.split("\n", -1))
                .filter(lines -> time.instant().isBefore(Instant.parse(lines[0])) && lines[1].equals(state))
                .map(lines -> login(provider.registration(), lines))
                .orElse(null);
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
            HttpServletRequest request, HttpServletResponse response) {
        OAuth2AuthorizationRequest login = loadAuthorizationRequest(request);
        if (login != null) {
            set(response, "", Duration.ZERO);
        }
        return login;
    }

    private static OAuth2AuthorizationRequest login(ClientRegistration registration, String[] lines) {
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

    private void set(HttpServletResponse response, String value, Duration lifetime) {
        ResponseCookie cookie = ResponseCookie.from(NAME, value)
                .path("/login/oauth2")
                .maxAge(lifetime)
                .httpOnly(true)
                .secure(secure)
                .sameSite("Lax") // The browser has to send it when it comes back from the provider.
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }

    /** Returns empty for any value that this process did not encrypt. */
    private Optional<String> decrypted(String value) {
        try {
            return Optional.of(cipher.decrypt(value));
        } catch (RuntimeException e) { // Each kind of wrong value has an exception class of its own.
            return Optional.empty();
        }
    }
}
