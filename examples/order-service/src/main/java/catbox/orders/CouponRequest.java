package catbox.orders;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/** The coupon to give to a user. */
record CouponRequest(@NotBlank @Size(max = 100) String couponName) {}
