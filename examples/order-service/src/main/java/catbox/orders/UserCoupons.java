package catbox.orders;

import org.springframework.data.repository.Repository;

interface UserCoupons extends Repository<UserCoupon, Long> {

    UserCoupon save(UserCoupon coupon);
}
