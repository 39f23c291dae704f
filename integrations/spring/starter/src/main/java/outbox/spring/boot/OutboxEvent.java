package outbox.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a class an event of the outbox: what is published with {@code ApplicationEventPublisher.publishEvent} inside a
 * transaction is stored in that transaction, as JSON, and delivered once it has committed.
 *
 * <p>It is stored by the call itself, so a failure shows where the event was published. On an interface or a superclass
 * it is for every class below.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OutboxEvent {

    /** The event type. Default: the simple name of the class, without "Event" at its end. */
    String type() default "";

    /** What kind of thing the event is about, such as {@code Order}. Default: none. */
    String aggregateType() default "";

    /**
     * The property whose value is the aggregate id, and with it the key: events of one key keep their order where order
     * is asked for, and brokers are given it as message key. A record component {@code orderId}, or a method
     * {@code orderId()} or {@code getOrderId()}. Default: none, so no order.
     */
    String key() default "";
}
