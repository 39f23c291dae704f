package catbox.orders;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/coupons")
class CouponController {

    private final CouponService coupons;

    CouponController(CouponService coupons) {
        this.coupons = coupons;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    CouponIssued issue(@RequestHeader("My-User-Id") @Positive long userId, @Valid @RequestBody CouponRequest request) {
        return coupons.issue(userId, request);
    }
}
