package outbox.spring.boot;

import java.util.List;
import java.util.Optional;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import outbox.spring.boot.OutboxProperties.Store;

/** Matches when the chosen store is one of those that the annotation names. */
final class StoreCondition extends SpringBootCondition implements ConfigurationCondition {

    /** Runs when beans are registered, because it searches for them. */
    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        List<Store> named =
                List.of(metadata.getAnnotations().get(ConditionalOnStore.class).getEnumArray("value", Store.class));
        Optional<Store> chosen = StoreChoice.of(context).chosen();
        ConditionMessage message = ConditionMessage.forCondition(ConditionalOnStore.class, named)
                .because("the store is " + chosen.map(Store::name).orElse("nowhere"));
        return new ConditionOutcome(chosen.filter(named::contains).isPresent(), message);
    }
}
