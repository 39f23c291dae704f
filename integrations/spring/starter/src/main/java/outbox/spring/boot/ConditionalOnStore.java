package outbox.spring.boot;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;
import outbox.spring.boot.OutboxProperties.Store;

/** Restricts a configuration to some kinds of store. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(StoreCondition.class)
@interface ConditionalOnStore {

    /** The kinds of store for which the configuration applies. */
    Store[] value();
}
