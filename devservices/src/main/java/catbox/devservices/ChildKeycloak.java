package catbox.devservices;

/** A Keycloak server with one realm. */
final class ChildKeycloak extends ChildServer implements OpenIdServer {

    private final String realm;

    ChildKeycloak(Blueprint blueprint, ServerFolder folder, String realm) {
        super(blueprint, folder);
        this.realm = realm;
    }

    @Override
    public String issuer() {
        return "http://127.0.0.1:" + port() + "/realms/" + realm;
    }
}
