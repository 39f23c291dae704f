package catbox.devservices;

/** A member of a MongoDB replica set, which may be the only one. */
public interface MongoDb extends DevServer {

    /** Returns the connection string of the whole set, without a database. */
    String uri();
}
