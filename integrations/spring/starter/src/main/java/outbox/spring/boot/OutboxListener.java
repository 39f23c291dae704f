package outbox.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that a bean's method receives events after their transaction has committed, on a thread of the dispatcher.
 *
 * <p>The method has one parameter: a class with {@link OutboxEvent}, {@code outbox.EventEnvelope}, or {@code
 * outbox.model.Delivery}, which includes the attempt. It returns nothing. When it returns, the event is delivered. When
 * it throws an exception, the attempt has failed and the event is delivered again. {@code RetryAfterException} and
 * {@code PermanentFailureException} control that. Delivery is at least once: recognise duplicates by the event id.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OutboxListener {

    /** The event types; {@code "*"} is every type. Default: the type of the parameter's {@link OutboxEvent}. */
    String[] value() default {};
}
