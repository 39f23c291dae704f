/**
 * Delivers to Kafka: acknowledged by all replicas, idempotent, in order per key. It takes deliveries and gives an
 * outcome for each when Kafka has answered, or can no longer answer. It never retries, except for the client's own
 * retries within one attempt.
 *
 * <p>How to read it: {@link outbox.kafka.KafkaDestination} converts deliveries to records. Without transactions a
 * {@code StreamSession} hands them to one producer as they come; with transactions a {@code TransactionQueue} runs each
 * call as one transaction. {@code Failures} converts Kafka's errors to outcomes.
 */
@NullMarked
package outbox.kafka;

import org.jspecify.annotations.NullMarked;
