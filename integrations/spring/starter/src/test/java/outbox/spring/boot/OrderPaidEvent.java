package outbox.spring.boot;

/** A typical event. */
// tag::event[]
@OutboxEvent(aggregateType = "Order", key = "orderId")
record OrderPaidEvent(long orderId, int cents) {}
// end::event[]
