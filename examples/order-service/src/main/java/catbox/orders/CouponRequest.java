package catbox.orders;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/** Which coupon a user is given. */
record CouponRequest(@NotBlank @Size(max = 100) String couponName) {}
