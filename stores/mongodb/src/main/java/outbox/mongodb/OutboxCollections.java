package outbox.mongodb;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;

/** The collections of an outbox, as plain documents whatever codecs the application's client has. */
record OutboxCollections(MongoDatabase database, CollectionNames names) {

    private static final CodecRegistry CODECS = CodecRegistries.fromRegistries(
            CodecRegistries.fromCodecs(new EventCodec()), MongoClientSettings.getDefaultCodecRegistry());

    OutboxCollections {
        database = database.withCodecRegistry(CODECS);
    }

    OutboxCollections with(ReadConcern readConcern) {
        return new OutboxCollections(database.withReadConcern(readConcern), names);
    }

    MongoCollection<Document> events() {
        return database.getCollection(names.event());
    }

    /** The same, to be read as events. */
    MongoCollection<StoredEvent> storedEvents() {
        return database.getCollection(names.event(), StoredEvent.class);
    }

    MongoCollection<Document> meta() {
        return database.getCollection(names.meta());
    }

    MongoCollection<Document> nodes() {
        return database.getCollection(names.node());
    }

    MongoCollection<Document> slots() {
        return database.getCollection(names.slot());
    }

    MongoCollection<Document> holds() {
        return database.getCollection(names.hold());
    }

    MongoCollection<Document> audit() {
        return database.getCollection(names.audit());
    }
}
