package catbox.server.access;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;

/**
 * What has to be remembered of somebody while he is at the OpenID provider: in a cookie of his, for ten minutes. In
 * memory it would have no bound, since whoever is not known can ask to be sent to the provider as often as he likes. The
 * cookie is encrypted with a key that lives as long as this server, so it says nothing and cannot be made up.
 */
final class LoginUnderWay implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {

    static final String COOKIE = "catbox-login";

    private static final String PATH = "/login/oauth2";
    private static final Duration LASTS = Duration.ofMinutes(10);
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BITS = 256;

    private final OidcProvider provider;
    private final boolean secure;
    private final InstantSource time;
    private final SecureRandom random = new SecureRandom();
    private final SecretKey key;

    LoginUnderWay(OidcProvider provider, boolean secure, InstantSource time) {
        this.provider = provider;
        this.secure = secure;
        this.time = time;
        try {
            KeyGenerator keys = KeyGenerator.getInstance("AES");
            keys.init(KEY_BITS);
            this.key = keys.generateKey();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES", e);
        }
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
        return cookie(request)
                .flatMap(this::opened)
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

    private static Optional<String> cookie(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? Optional.empty()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(COOKIE))
                        .map(Cookie::getValue)
                        .findFirst();
    }

    private String sealed(String text) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            byte[] sealed = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(ByteBuffer.allocate(nonce.length + sealed.length)
                            .put(nonce)
                            .put(sealed)
                            .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + CIPHER, e);
        }
    }

    /** Empty for what was not sealed here, whatever it is. */
    private Optional<String> opened(String value) {
        try {
            byte[] all = Base64.getUrlDecoder().decode(value);
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, all, 0, NONCE_BYTES));
            byte[] text = cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
