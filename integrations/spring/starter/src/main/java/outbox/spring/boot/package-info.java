/**
 * The outbox in a Spring Boot application. Takes {@code outbox.*} properties, a DataSource and the application's beans;
 * gives an {@code OutboxClient}, delivers by dispatcher or relay or leaves that to others, and stops in time. Owns no
 * defaults: those of the engine's records hold.
 */
@NullMarked
package outbox.spring.boot;

import org.jspecify.annotations.NullMarked;
