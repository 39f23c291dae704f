package outbox.spring.boot;

import outbox.EventEnvelope;

/** Receives paid orders. */
class Mailer {

    private final Received received = new Received();
    private final Received ids = new Received();

    // tag::listener[]
    @OutboxListener
    void onPaid(OrderPaidEvent event) {
        received.add(event);
    }
    // end::listener[]

    @OutboxListener("OrderPaid")
    void noteId(EventEnvelope event) {
        ids.add(event.eventId());
    }

    Received received() {
        return received;
    }

    Received ids() {
        return ids;
    }
}
