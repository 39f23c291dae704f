package outbox.registry;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
import outbox.spi.TimeSource;

/**
 * Sends events to a destination and waits for its answer. While the destination is unavailable, it refuses events at
 * once with a {@link DestinationUnavailableException}, which counts no attempt, and probes the destination with single
 * events. Deliveries resume within a few seconds after the destination is back. Other events wait while a probe gets no
 * answer, so that a silent destination occupies one worker.
 */
public final class DestinationListener implements EventListener {

    private static final Duration DEADLINE_DEFAULT = Duration.ofSeconds(30);

    private final Destination destination;
    private final Duration deadline;
    private final OutageGate gate;

    /** Waits 30 seconds for an answer. */
    public DestinationListener(Destination destination) {
        this(destination, DEADLINE_DEFAULT);
    }

    public DestinationListener(Destination destination, Duration deadline) {
        this(destination.getClass().getSimpleName(), destination, deadline, TimeSource.SYSTEM);
    }

    /** @param name what the log calls the destination */
    public DestinationListener(String name, Destination destination, Duration deadline, TimeSource time) {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline must be positive, was " + deadline);
        }
        this.destination = destination;
        this.deadline = deadline;
        this.gate = new OutageGate(name, time);
    }

    @Override
    public void onEvent(EventEnvelope event) throws Exception {
        onDelivery(new Delivery(event, 1));
    }

    @Override
    public void onDelivery(Delivery delivery) throws Exception {
        switch (throughGate(delivery)) {
            case Outcome.Delivered delivered -> {}
            case Outcome.Retryable retryable -> {
                if (retryable.after() != null) {
                    throw new RetryAfterException(retryable.after(), retryable.error());
                }
                throw new PublishFailedException(delivery.event().eventId(), retryable);
            }
            case Outcome.Rejected rejected -> throw new PermanentFailureException(rejected.reason());
            case Outcome.Unavailable unavailable ->
                throw new DestinationUnavailableException(
                        unavailable.error(), Objects.requireNonNullElse(unavailable.after(), Duration.ZERO));
        }
    }

    private Outcome throughGate(Delivery delivery) throws InterruptedException, ExecutionException {
        OutageGate.Pass pass = gate.enter(addressOf(delivery));
        boolean answered = false;
        try {
            Outcome outcome = gate.leave(pass, outcome(delivery));
            answered = true;
            return outcome;
        } finally {
            if (!answered) {
                gate.leaveWithoutAnswer(pass);
            }
        }
    }

    // The destination rejects an event whose address cannot be formed; that says nothing about an outage.
    private String addressOf(Delivery delivery) {
        try {
            return destination.addressOf(delivery);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private Outcome outcome(Delivery delivery) throws InterruptedException, ExecutionException {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        destination.deliver(List.of(delivery), (index, outcome) -> answer.complete(outcome));
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Outcome.Retryable.unanswered("the destination did not answer within " + deadline);
        }
    }
}
