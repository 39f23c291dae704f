package catbox.orders;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** A coupon that a user was given. */
@Entity
class UserCoupon {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    @Column(nullable = false)
    private long userId;

    @Column(nullable = false, length = 100)
    private String couponName;

    @SuppressWarnings("NullAway.Init") // Filled by JPA.
    protected UserCoupon() {}

    UserCoupon(long userId, String couponName) {
        this.userId = userId;
        this.couponName = couponName;
    }

    long id() {
        return id;
    }

    long userId() {
        return userId;
    }

    String couponName() {
        return couponName;
    }
}
