package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class EventClassTest {

    @OutboxEvent(aggregateType = "Coupon", key = "couponId")
    sealed interface CouponEvent permits CouponIssuedEvent, CouponUsed {
        String couponId();
    }

    record CouponIssuedEvent(String couponId) implements CouponEvent {}

    record CouponUsed(String couponId) implements CouponEvent {}

    @OutboxEvent(type = "points.earned", key = "account")
    static final class Points {
        public long getAccount() {
            return 42;
        }
    }

    @OutboxEvent(key = "orderNumber")
    record Misspelt(long orderId, String note) {}

    @OutboxEvent
    record Event(String text) {}

    @OutboxEvent(key = "id")
    record Nullable(String id) {}

    @Test
    void theTypeIsTheClassNameWithoutEvent() {
        assertThat(EventClass.of(OrderPaidEvent.class).eventType()).isEqualTo("OrderPaid");
        assertThat(EventClass.of(CouponIssuedEvent.class).eventType()).isEqualTo("CouponIssued");
        assertThat(EventClass.of(CouponUsed.class).eventType()).isEqualTo("CouponUsed");
        assertThat(EventClass.of(Event.class).eventType()).isEqualTo("Event");
    }

    @Test
    void theTypeMayBeNamed() {
        assertThat(EventClass.of(Points.class).eventType()).isEqualTo("points.earned");
    }

    @Test
    void theKeyIsAComponentOrAGetter() {
        assertThat(EventClass.of(OrderPaidEvent.class).keyOf(new OrderPaidEvent(17, 1)))
                .isEqualTo("17");
        assertThat(EventClass.of(CouponUsed.class).keyOf(new CouponUsed("c1"))).isEqualTo("c1");
        assertThat(EventClass.of(Points.class).keyOf(new Points())).isEqualTo("42");
        assertThat(EventClass.of(Event.class).keyOf(new Event("x"))).isNull();
    }

    @Test
    void refusesAnUnknownKeyAndNamesTheProperties() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventClass.of(Misspelt.class))
                .withMessageContaining(Misspelt.class.getName())
                .withMessageContaining("key = \"orderNumber\"")
                .withMessageContaining("[note, orderId]");
    }

    @Test
    void aKeyMustNotBeNull() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventClass.of(Nullable.class).keyOf(new Nullable(null)))
                .withMessageContaining("is null");
    }
}
