package outbox.spring;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.core.InfrastructureProxy;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoDatabaseUtils;
import org.springframework.data.mongodb.SessionSynchronization;

/**
 * Finds the session that is bound to the current thread. Spring Data does not expose it, but it passes the session to
 * the factory when a database is requested within a transaction. This factory only captures that call. Spring sees it
 * as the factory that it stands for.
 */
final class SessionLookup implements MongoDatabaseFactory, InfrastructureProxy {

    private final MongoDatabaseFactory factory;
    private @Nullable ClientSession session;

    private SessionLookup(MongoDatabaseFactory factory) {
        this.factory = factory;
    }

    /** Returns the session, or null when the factory has none on this thread. It binds nothing and begins nothing. */
    static @Nullable ClientSession find(MongoDatabaseFactory factory) {
        SessionLookup lookup = new SessionLookup(factory);
        MongoDatabaseUtils.getDatabase(lookup, SessionSynchronization.ON_ACTUAL_TRANSACTION);
        return lookup.session;
    }

    @Override
    public MongoDatabaseFactory withSession(ClientSession bound) {
        session = bound;
        return factory;
    }

    @Override
    public Object getWrappedObject() {
        return factory;
    }

    @Override
    public MongoDatabase getMongoDatabase() {
        return factory.getMongoDatabase();
    }

    @Override
    public MongoDatabase getMongoDatabase(String name) {
        return factory.getMongoDatabase(name);
    }

    @Override
    public PersistenceExceptionTranslator getExceptionTranslator() {
        return factory.getExceptionTranslator();
    }

    @Override
    public CodecRegistry getCodecRegistry() {
        return factory.getCodecRegistry();
    }

    @Override
    public ClientSession getSession(ClientSessionOptions options) {
        return factory.getSession(options);
    }
}
