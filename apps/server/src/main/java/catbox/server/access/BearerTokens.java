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

/** Knows programs by the tokens of the file, and whoever shows a token of the OpenID provider. */
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
        return known(bearer.getToken())
                .map(token -> (Authentication) UsernamePasswordAuthenticationToken.authenticated(
                        "token:" + token.name(), "", new Rights(token.role(), token.payloadRead()).authorities()))
                .or(() -> provider.map(oidc -> oidc.authenticated(bearer.getToken())))
                .orElseThrow(() -> new InvalidBearerTokenException("the token is not known"));
    }

    // All are compared, each in constant time: how long it takes says nothing about any of them.
    private Optional<AccessPlan.Token> known(String shown) {
        byte[] hash = sha256(shown);
        Optional<AccessPlan.Token> found = Optional.empty();
        for (AccessPlan.Token token : tokens) {
            if (MessageDigest.isEqual(hash, HexFormat.of().parseHex(token.sha256()))) {
                found = Optional.of(token);
            }
        }
        return found;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
