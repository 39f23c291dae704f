package catbox.orders;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface Orders extends Repository<Order, Long> {

    Order save(Order order);

    Optional<Order> findByIdAndUserId(long id, long userId);

    /** Locks the order: other transactions that change it wait for the end of this one, and then see its changes. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select o from Order o where o.id = :id and o.userId = :userId")
    Optional<Order> findToChange(long id, long userId);
}
