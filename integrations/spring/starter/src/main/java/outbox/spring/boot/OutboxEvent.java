package outbox.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a class to be an event of the outbox. Objects that are published with {@code
 * ApplicationEventPublisher.publishEvent} inside a transaction are stored in that transaction, as JSON, and delivered
 * once it has committed.
 *
 * <p>The call itself stores them, so a failure is thrown where the event is published. On an interface or a superclass
 * the annotation applies to every class below.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OutboxEvent {

    /** The event type. Default: the simple name of the class, without "Event" at its end. */
    String type() default "";

    /** The kind of thing that the event is about, such as {@code Order}. Default: none. */
    String aggregateType() default "";

    /**
     * The property whose value is the aggregate id, and with it the key. Events of one key keep their order where order
     * is configured, and brokers receive the key as message key. A property is a record component {@code orderId}, or a
     * method {@code orderId()} or {@code getOrderId()}. Default: none, so no order.
     */
    String key() default "";
}
