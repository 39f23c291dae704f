package outbox.spring.boot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import outbox.registry.DefaultListenerRegistry;
import outbox.spring.boot.OutboxProperties.DeliveryMode;

/** Finds the {@link OutboxListener} methods of all beans once these are created, and checks them. */
final class ListenerMethods implements SmartInitializingSingleton {

    private static final Logger LOG = System.getLogger(ListenerMethods.class.getName());

    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

    private final ConfigurableListableBeanFactory beans;
    private final EventCodec codec;
    private final DeliveryMode delivery;
    private volatile List<ListenerMethod> methods = List.of(); // written once, before the first delivery

    ListenerMethods(ConfigurableListableBeanFactory beans, EventCodec codec, DeliveryMode delivery) {
        this.beans = beans;
        this.codec = codec;
        this.delivery = delivery;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<ListenerMethod> found = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                Class<?> beanClass = AutoProxyUtils.determineTargetClass(beans, name);
                if (beanClass != null && AnnotationUtils.isCandidateClass(beanClass, OutboxListener.class)) {
                    found.addAll(methodsOf(name, beanClass));
                }
            }
        }
        methods = List.copyOf(found);
        if (delivery == DeliveryMode.NONE && !found.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "these @OutboxListener methods receive nothing, because outbox.delivery is none: " + found
                            + ". Set it to dispatcher or relay in the process that is to call them.");
        }
    }

    private List<ListenerMethod> methodsOf(String beanName, Class<?> beanClass) {
        Map<Method, OutboxListener> annotated =
                MethodIntrospector.selectMethods(beanClass, (MethodIntrospector.MetadataLookup<OutboxListener>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, OutboxListener.class));
        annotated.keySet().forEach(method -> requireNotAsync(method, beanClass));
        List<ListenerMethod> found = new ArrayList<>();
        annotated.forEach((method, annotation) -> found.add(new ListenerMethod(
                () -> beans.getBean(beanName),
                AopUtils.selectInvocableMethod(method, beans.getType(beanName)),
                annotation,
                codec)));
        return found;
    }

    // An asynchronous method returns, and its event counts as delivered, before its work is done.
    private static void requireNotAsync(Method method, Class<?> beanClass) {
        for (AnnotatedElement element : List.of(method, beanClass)) {
            if (MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC)) {
                throw new IllegalArgumentException("@OutboxListener method " + beanClass.getName() + "."
                        + method.getName() + " is @Async: it would count as delivered before it has done anything");
            }
        }
    }

    List<ListenerMethod> all() {
        return methods;
    }

    /** Returns the methods, each under its event types and observed. */
    DefaultListenerRegistry registry(DeliveryObserver observer) {
        DefaultListenerRegistry registry = new DefaultListenerRegistry();
        for (ListenerMethod method : methods) {
            method.eventTypes().forEach(type -> registry.register(type, observer.around(method)));
        }
        return registry;
    }

    /** Returns whether a method receives events of the type. */
    boolean receives(String eventType) {
        return methods.stream()
                .anyMatch(method -> method.eventTypes().contains(eventType)
                        || method.eventTypes().contains("*"));
    }

    /** Returns the methods and their event types, for operators. */
    Map<String, List<String>> described() {
        Map<String, List<String>> described = new LinkedHashMap<>();
        methods.forEach(method -> described.put(method.toString(), method.eventTypes()));
        return described;
    }
}
