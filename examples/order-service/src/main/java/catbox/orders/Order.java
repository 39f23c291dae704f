package catbox.orders;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "orders")
class Order {

    enum Status {
        PLACED,
        PAID
    }

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    @Column(nullable = false)
    private long userId;

    @Column(nullable = false, length = 200)
    private String item;

    @Column(nullable = false)
    private int quantity;

    @Column(nullable = false)
    private long amountCents;

    @Enumerated(EnumType.STRING)
    @Column(nullable = false, length = 20)
    private Status status;

    @SuppressWarnings("NullAway.Init") // Filled by JPA.
    protected Order() {}

    Order(long userId, OrderRequest request) {
        this.userId = userId;
        this.item = request.item();
        this.quantity = request.quantity();
        this.amountCents = request.amountCents();
        this.status = Status.PLACED;
    }

    void change(OrderRequest request) {
        requirePlaced();
        item = request.item();
        quantity = request.quantity();
        amountCents = request.amountCents();
    }

    void pay() {
        requirePlaced();
        status = Status.PAID;
    }

    private void requirePlaced() {
        if (status == Status.PAID) {
            throw new OrderAlreadyPaidException(id);
        }
    }

    long id() {
        return id;
    }

    long userId() {
        return userId;
    }

    String item() {
        return item;
    }

    int quantity() {
        return quantity;
    }

    long amountCents() {
        return amountCents;
    }

    Status status() {
        return status;
    }
}
