/**
 * The outbox in a Spring Boot application. Takes {@code outbox.*} properties, a DataSource or a MongoTransactionManager,
 * and the application's beans; gives an {@code OutboxClient}, delivers by dispatcher or relay or leaves that to others,
 * and stops in time. Owns no defaults: those of the engine's records hold.
 *
 * <p>How to read it: {@code OutboxJdbcAutoConfiguration} and {@code OutboxMongoAutoConfiguration} are the stores, of which
 * there is one; {@code OutboxAutoConfiguration} publishes into it, and {@code DeliveryConfiguration} delivers from it,
 * without knowing which it is.
 */
@NullMarked
package outbox.spring.boot;

import org.jspecify.annotations.NullMarked;
