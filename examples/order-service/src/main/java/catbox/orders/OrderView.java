package catbox.orders;

/** An order as its user sees it. */
record OrderView(long orderId, String item, int quantity, long amountCents, Order.Status status) {

    static OrderView of(Order order) {
        return new OrderView(order.id(), order.item(), order.quantity(), order.amountCents(), order.status());
    }
}
