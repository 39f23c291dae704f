package outbox.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that receives events after their transaction has committed, on a thread of the dispatcher.
 *
 * <p>It has one parameter: a class with {@link OutboxEvent}, or {@code outbox.EventEnvelope}, or
 * {@code outbox.model.Delivery}, which tells the attempt as well. It returns nothing. When it returns, the event is
 * delivered; an exception is a failed attempt, and the event comes again. {@code RetryAfterException} and
 * {@code PermanentFailureException} say more. Delivery is at least once: the event id tells duplicates.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OutboxListener {

    /** The event types; {@code "*"} is every type. Default: that of the parameter's {@link OutboxEvent}. */
    String[] value() default {};
}
