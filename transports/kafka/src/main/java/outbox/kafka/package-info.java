/**
 * Kafka as a destination: acknowledged by all replicas, idempotent, in order per key. It takes deliveries, and gives an
 * outcome for each when Kafka has answered or cannot answer any more. It never retries by itself, beyond what the client
 * does within one attempt.
 *
 * <p>How to read it: {@link outbox.kafka.KafkaDestination} makes records of deliveries. In the ordinary mode a
 * {@code StreamSession} hands them to one producer as they come; in the transactional mode a {@code TransactionalSlot}
 * runs each call as one transaction. {@code Failures} says what each error of Kafka means.
 */
@NullMarked
package outbox.kafka;

import org.jspecify.annotations.NullMarked;
