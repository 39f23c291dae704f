package outbox.spring.boot;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.util.ClassUtils;
import outbox.spring.boot.OutboxProperties.Store;

/**
 * Chooses the store by the property and by the application's beans.
 *
 * @param wanted the property's value; null when it is not set
 * @param dataSources names of beans; also empty without outbox-jdbc on the class path
 * @param mongoFactories names of beans; also empty without outbox-mongodb
 * @param mongoManagers names of the beans that begin MongoDB transactions
 */
record StoreChoice(
        @Nullable Store wanted, List<String> dataSources, List<String> mongoFactories, List<String> mongoManagers) {

    /** The configurations of DataSources and database factories, which must run before this condition. */
    static final String DATA_SOURCES = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    static final String MONGO_FACTORIES =
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration";

    private static final String JDBC_LIBRARY = "outbox.jdbc.JdbcOutboxRepository";
    private static final String MONGO_LIBRARY = "outbox.mongodb.MongoSource";
    private static final String MONGO = "org.springframework.data.mongodb.";

    static StoreChoice of(ConditionContext context) {
        return new StoreChoice(
                Binder.get(context.getEnvironment())
                        .bind("outbox.store", Store.class)
                        .orElse(null),
                beans(context, JDBC_LIBRARY, "javax.sql.DataSource"),
                beans(context, MONGO_LIBRARY, MONGO + "MongoDatabaseFactory"),
                beans(context, MONGO_LIBRARY, MONGO + "MongoTransactionManager"));
    }

    // Types are given by name, because neither store needs to be on the class path.
    private static List<String> beans(ConditionContext context, String library, String type) {
        ClassLoader loader = context.getClassLoader();
        ConfigurableListableBeanFactory factory = context.getBeanFactory();
        if (factory == null || !ClassUtils.isPresent(library, loader) || !ClassUtils.isPresent(type, loader)) {
            return List.of();
        }
        Class<?> beanType = ClassUtils.resolveClassName(type, loader);
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(factory, beanType, true, false));
    }

    /**
     * Returns the store, or empty when the application has none.
     *
     * @throws InvalidOutboxPropertiesException when the choice is ambiguous, or the wanted store is missing
     */
    Optional<Store> chosen() {
        if (wanted == Store.JDBC && dataSources.isEmpty()) {
            throw new InvalidOutboxPropertiesException("outbox.store: is jdbc, but there is no DataSource bean, or"
                    + " outbox-jdbc is not on the class path");
        }
        boolean managerIsMissing = mongoManagers.isEmpty() && !mongoFactories.isEmpty();
        if (managerIsMissing && (wanted == Store.MONGODB || (wanted == null && dataSources.isEmpty()))) {
            throw new InvalidOutboxPropertiesException(
                    "outbox.store: there is a MongoDatabaseFactory, but no"
                            + " MongoTransactionManager bean, without which Spring begins no MongoDB transaction and no event"
                            + " could be stored with the data that it concerns. Create one: new MongoTransactionManager(factory)");
        }
        if (wanted == Store.MONGODB && mongoManagers.isEmpty()) {
            throw new InvalidOutboxPropertiesException("outbox.store: is mongodb, but there is no MongoDatabaseFactory"
                    + " bean, or outbox-mongodb is not on the class path");
        }
        if (wanted == null && !dataSources.isEmpty() && !mongoManagers.isEmpty()) {
            throw new InvalidOutboxPropertiesException("outbox.store: there are the DataSource " + dataSources
                    + " and the MongoTransactionManager " + mongoManagers
                    + ", and events can be stored with either; set it to jdbc or to mongodb");
        }
        if (wanted != null) {
            return Optional.of(wanted);
        }
        return dataSources.isEmpty()
                ? Optional.of(Store.MONGODB).filter(mongo -> !mongoManagers.isEmpty())
                : Optional.of(Store.JDBC);
    }
}
