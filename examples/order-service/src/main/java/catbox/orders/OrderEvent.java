package catbox.orders;

import outbox.spring.boot.OutboxEvent;

/** What happened to an order. Adding an event is adding a record. */
sealed interface OrderEvent {

    // tag::events[]
    @OutboxEvent(type = "OrderCreated", aggregateType = "ORDER", key = "orderId")
    record OrderCreated(long orderId, long userId, String item, int quantity, long amountCents) implements OrderEvent {}

    @OutboxEvent(type = "OrderUpdated", aggregateType = "ORDER", key = "orderId")
    record OrderUpdated(long orderId, long userId, String item, int quantity, long amountCents) implements OrderEvent {}

    @OutboxEvent(type = "OrderCompleted", aggregateType = "ORDER", key = "orderId")
    record OrderCompleted(long orderId, long userId, long amountCents) implements OrderEvent {}
    // end::events[]
}
