/** The outbox in a MongoDB replica set, on the official driver. */
module outbox.mongodb {
    requires transitive org.mongodb.driver.sync.client;
    requires transitive outbox.core;
    requires org.mongodb.bson;
    requires org.mongodb.driver.core;
    requires static org.jspecify;

    exports outbox.mongodb;
}
