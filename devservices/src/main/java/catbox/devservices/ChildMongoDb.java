package catbox.devservices;

/** A member of a replica set. */
final class ChildMongoDb extends ChildServer implements MongoDb {

    private final String uri;

    ChildMongoDb(Blueprint blueprint, ServerFolder folder, String uri) {
        super(blueprint, folder);
        this.uri = uri;
    }

    @Override
    public String uri() {
        return uri;
    }
}
