package catbox.orders;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Gives coupons to users. */
@Service
class CouponService {

    private final UserCoupons coupons;
    private final ApplicationEventPublisher events;

    CouponService(UserCoupons coupons, ApplicationEventPublisher events) {
        this.coupons = coupons;
        this.events = events;
    }

    @Transactional
    CouponIssued issue(long userId, CouponRequest request) {
        UserCoupon coupon = coupons.save(new UserCoupon(userId, request.couponName()));
        CouponIssued issued = new CouponIssued(coupon.id(), coupon.userId(), coupon.couponName());
        events.publishEvent(issued);
        return issued;
    }
}
