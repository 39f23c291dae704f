package catbox.orders;

import outbox.spring.boot.OutboxEvent;

@OutboxEvent(type = "CouponIssued", aggregateType = "COUPON", key = "couponId")
record CouponIssued(long couponId, long userId, String couponName) {}
