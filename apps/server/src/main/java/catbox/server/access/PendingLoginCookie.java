package catbox.server.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.crypto.encrypt.BytesEncryptor;
import org.springframework.security.crypto.encrypt.Encryptors;
import org.springframework.security.crypto.keygen.KeyGenerators;
import org.springframework.security.jackson.SecurityJacksonModules;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.web.util.WebUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps a login that waits for the OpenID provider in a cookie of the browser, for ten minutes. Memory would have no
 * bound, since an unknown sender can begin any number of logins. The cookie is encrypted with a key that lives as long
 * as this process, so it reveals nothing and cannot be forged.
 */
final class PendingLoginCookie implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {

    static final String NAME = "catbox-login";

    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final int KEY_BYTES = 32;

    private final boolean secure;
    private final InstantSource time;
    private final JsonMapper mapper = JsonMapper.builder()
            .addModules(SecurityJacksonModules.getModules(PendingLoginCookie.class.getClassLoader()))
            .build();
    private final BytesEncryptor cipher = Encryptors.stronger(
            HexFormat.of().formatHex(KeyGenerators.secureRandom(KEY_BYTES).generateKey()),
            KeyGenerators.string().generateKey());

    PendingLoginCookie(boolean secure, InstantSource time) {
        this.secure = secure;
        this.time = time;
    }

    @Override
    public void saveAuthorizationRequest(
            @Nullable OAuth2AuthorizationRequest login, HttpServletRequest request, HttpServletResponse response) {
        if (login != null) {
            String text = time.instant().plus(LIFETIME) + "\n" + mapper.writeValueAsString(login);
            byte[] encrypted = cipher.encrypt(text.getBytes(StandardCharsets.UTF_8));
            set(response, Base64.getUrlEncoder().withoutPadding().encodeToString(encrypted), LIFETIME);
        }
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
        String state = request.getParameter(OAuth2ParameterNames.STATE);
        return Optional.ofNullable(WebUtils.getCookie(request, NAME))
                .flatMap(cookie -> decrypted(cookie.getValue()))
                .map(text -> text.split("\n", 2))
                .filter(parts -> time.instant().isBefore(Instant.parse(parts[0])))
                .map(parts -> mapper.readValue(parts[1], OAuth2AuthorizationRequest.class))
                .filter(login -> String.valueOf(login.getState()).equals(state))
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
            byte[] text = cipher.decrypt(Base64.getUrlDecoder().decode(value));
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (RuntimeException e) { // Each kind of wrong value has an exception class of its own.
            return Optional.empty();
        }
    }
}
