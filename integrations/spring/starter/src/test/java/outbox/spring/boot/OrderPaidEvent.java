package outbox.spring.boot;

/** An event as people write it. */
// tag::event[]
@OutboxEvent(aggregateType = "Order", key = "orderId")
record OrderPaidEvent(long orderId, int cents) {}
// end::event[]
