package catbox.server.access;

import catbox.server.config.AccessPlan;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/** Authenticates bearer tokens: those of the server's file, and access tokens of the OpenID provider. */
final class BearerTokens implements AuthenticationManager {

    private final List<AccessPlan.Token> tokens;
    private final Optional<OidcProvider> provider;

    BearerTokens(List<AccessPlan.Token> tokens, Optional<OidcProvider> provider) {
        this.tokens = tokens;
        this.provider = provider;
    }

    @Override
    public Authentication authenticate(Authentication request) {
        if (!(request instanceof BearerTokenAuthenticationToken bearer)) {
            throw new InvalidBearerTokenException("a bearer token is needed");
        }
        return find(bearer.getToken())
                .map(token -> (Authentication) UsernamePasswordAuthenticationToken.authenticated(
                        "token:" + token.name(), "", new Rights(token.role(), token.payloadRead()).authorities()))
                .or(() -> provider.map(oidc -> oidc.authenticate(bearer.getToken())))
                .orElseThrow(() -> new InvalidBearerTokenException("unknown token"));
    }

    // Compares with every token, each in constant time, so that the duration reveals nothing about any of them.
    private Optional<AccessPlan.Token> find(String value) {
        byte[] hash = sha256(value);
        return tokens.stream()
                .filter(token -> MessageDigest.isEqual(hash, HexFormat.of().parseHex(token.sha256())))
                .reduce((first, second) -> second);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
