package outbox.registry;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import outbox.DestinationUnavailableException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.PermanentFailureException;
import outbox.PublishFailedException;
import outbox.RetryAfterException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;

/** A listener that passes events on to a destination and waits for its answer. */
public final class DestinationListener implements EventListener {

    private static final Duration DEADLINE_DEFAULT = Duration.ofSeconds(30);

    private final Destination destination;
    private final Duration deadline;

    /** Waits 30 seconds for an answer. */
    public DestinationListener(Destination destination) {
        this(destination, DEADLINE_DEFAULT);
    }

    public DestinationListener(Destination destination, Duration deadline) {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline must be positive, was " + deadline);
        }
        this.destination = destination;
        this.deadline = deadline;
    }

    @Override
    public void onEvent(EventEnvelope event) throws Exception {
        onDelivery(new Delivery(event, 1));
    }

    @Override
    public void onDelivery(Delivery delivery) throws Exception {
        switch (outcome(delivery)) {
            case Outcome.Delivered delivered -> {}
            case Outcome.Retryable retryable -> {
                if (retryable.after() != null) {
                    throw new RetryAfterException(retryable.after(), retryable.error());
                }
                throw new PublishFailedException(delivery.event().eventId(), retryable);
            }
            case Outcome.Rejected rejected -> throw new PermanentFailureException(rejected.reason());
            case Outcome.Unavailable unavailable -> throw new DestinationUnavailableException(unavailable.error());
        }
    }

    private Outcome outcome(Delivery delivery) throws InterruptedException, ExecutionException {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        destination.deliver(List.of(delivery), (index, outcome) -> answer.complete(outcome));
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new Outcome.Retryable("the destination did not answer within " + deadline, null);
        }
    }
}
