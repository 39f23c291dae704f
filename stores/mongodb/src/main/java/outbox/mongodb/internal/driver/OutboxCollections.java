package outbox.mongodb.internal.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.internal.event.EventCodec;
import outbox.mongodb.internal.event.StoredEvent;

/** The collections of an outbox, read and written as plain documents whatever codecs the application's client has. */
public record OutboxCollections(MongoDatabase database, CollectionNames names) {

    private static final CodecRegistry CODECS = CodecRegistries.fromRegistries(
            CodecRegistries.fromCodecs(new EventCodec()), MongoClientSettings.getDefaultCodecRegistry());

    public OutboxCollections {
        database = database.withCodecRegistry(CODECS);
    }

    public OutboxCollections with(ReadConcern readConcern) {
        return new OutboxCollections(database.withReadConcern(readConcern), names);
    }

    public MongoCollection<Document> events() {
        return database.getCollection(names.event());
    }

    /** The events, decoded as such. */
    public MongoCollection<StoredEvent> storedEvents() {
        return database.getCollection(names.event(), StoredEvent.class);
    }

    public MongoCollection<Document> meta() {
        return database.getCollection(names.meta());
    }

    public MongoCollection<Document> nodes() {
        return database.getCollection(names.node());
    }

    public MongoCollection<Document> slots() {
        return database.getCollection(names.slot());
    }

    public MongoCollection<Document> holds() {
        return database.getCollection(names.hold());
    }

    public MongoCollection<Document> audit() {
        return database.getCollection(names.audit());
    }
}
