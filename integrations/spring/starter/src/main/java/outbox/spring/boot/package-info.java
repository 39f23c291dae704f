/**
 * Configures the outbox in a Spring Boot application. It takes {@code outbox.*} properties, a DataSource or a
 * MongoTransactionManager, and the application's beans. It gives an {@code OutboxClient}, delivers by dispatcher or
 * relay or leaves delivery to another process, and stops before the beans that it needs. It has no defaults of its own:
 * those of the engine's records apply.
 *
 * <p>How to read it: {@code OutboxJdbcAutoConfiguration} and {@code OutboxMongoAutoConfiguration} provide the one
 * store. {@code OutboxAutoConfiguration} publishes into it, and {@code DeliveryConfiguration} delivers from it, without
 * depending on which it is.
 */
@NullMarked
package outbox.spring.boot;

import org.jspecify.annotations.NullMarked;
