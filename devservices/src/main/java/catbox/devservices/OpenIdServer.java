package catbox.devservices;

/** An OpenID provider with one realm. */
public interface OpenIdServer extends DevServer {

    /** Returns the realm's address, which tokens name as their issuer. */
    String issuer();
}
