/**
 * Delivers to Amazon SQS. It takes deliveries and gives each an outcome, and an event counts as delivered only when SQS
 * has accepted this very message of a batch. It never retries, never blocks the caller's thread, and never has two
 * events of a key in flight.
 *
 * <p>How to read it: {@link outbox.sqs.SqsDestination} handles a call. {@code MessageBuilder} converts deliveries to
 * messages, {@code Batches} groups them into requests, {@code BatchSender} sends one, and {@code SqsFailure} classifies
 * rejections.
 */
@NullMarked
package outbox.sqs;

import org.jspecify.annotations.NullMarked;
