package catbox.devservices;

/** An OpenID provider with one realm. */
public interface OpenIdServer extends DevServer {

    /** The realm's address, by which tokens name it. */
    String issuer();
}
