/**
 * Events to Amazon SQS. It takes deliveries, gives each an outcome, and promises that one is delivered only when SQS
 * has said so for this very message of a batch. It never retries, never waits on the caller's thread and never has two
 * events of a key under way.
 *
 * <p>How to read it: {@link outbox.sqs.SqsDestination} has the story of a call; {@code MessageFormer} makes the
 * messages, {@code Batches} puts them into requests, {@code BatchRequest} sends one, and {@code Failure} says what
 * follows from a refusal.
 */
@NullMarked
package outbox.sqs;

import org.jspecify.annotations.NullMarked;
