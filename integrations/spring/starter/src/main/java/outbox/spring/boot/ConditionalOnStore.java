package outbox.spring.boot;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;
import outbox.spring.boot.OutboxProperties.Store;

/** For configuration of one kind of store, or of any. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(StoreCondition.class)
@interface ConditionalOnStore {

    /** The kinds that it is for. */
    Store[] value();
}
