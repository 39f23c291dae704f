package catbox.orders;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What can be done with an order. Each change and its event are stored in one transaction, or neither is. */
@Service
class OrderService {

    private final Orders orders;
    private final ApplicationEventPublisher events;

    OrderService(Orders orders, ApplicationEventPublisher events) {
        this.orders = orders;
        this.events = events;
    }

    @Transactional
    OrderView create(long userId, OrderRequest request) {
        Order order = orders.save(new Order(userId, request));
        events.publishEvent(
                new OrderEvent.OrderCreated(order.id(), userId, order.item(), order.quantity(), order.amountCents()));
        return OrderView.of(order);
    }

    @Transactional
    OrderView update(long userId, long orderId, OrderRequest request) {
        Order order = toChange(userId, orderId);
        order.change(request);
        events.publishEvent(
                new OrderEvent.OrderUpdated(orderId, userId, order.item(), order.quantity(), order.amountCents()));
        return OrderView.of(order);
    }

    // tag::pay[]
    @Transactional
    OrderView pay(long userId, long orderId) {
        Order order = toChange(userId, orderId);
        order.pay();
        events.publishEvent(new OrderEvent.OrderCompleted(orderId, userId, order.amountCents()));
        return OrderView.of(order);
    }
    // end::pay[]

    @Transactional(readOnly = true)
    OrderView find(long userId, long orderId) {
        return orders.findByIdAndUserId(orderId, userId)
                .map(OrderView::of)
                .orElseThrow(() -> new OrderUnknownException(orderId));
    }

    private Order toChange(long userId, long orderId) {
        return orders.findToChange(orderId, userId).orElseThrow(() -> new OrderUnknownException(orderId));
    }
}
