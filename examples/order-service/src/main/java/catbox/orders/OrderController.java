package catbox.orders;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import java.net.URI;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/orders")
class OrderController {

    private static final String USER = "My-User-Id";

    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    @PostMapping
    ResponseEntity<OrderView> create(
            @RequestHeader(USER) @Positive long userId, @Valid @RequestBody OrderRequest request) {
        OrderView order = orders.create(userId, request);
        return ResponseEntity.created(URI.create("/orders/" + order.orderId())).body(order);
    }

    @PutMapping("/{orderId}")
    OrderView update(
            @RequestHeader(USER) @Positive long userId,
            @PathVariable long orderId,
            @Valid @RequestBody OrderRequest request) {
        return orders.update(userId, orderId, request);
    }

    @GetMapping("/{orderId}")
    OrderView find(@RequestHeader(USER) @Positive long userId, @PathVariable long orderId) {
        return orders.find(userId, orderId);
    }

    @PostMapping("/payment")
    OrderView pay(@RequestHeader(USER) @Positive long userId, @Valid @RequestBody PaymentRequest request) {
        return orders.pay(userId, request.orderId());
    }
}
