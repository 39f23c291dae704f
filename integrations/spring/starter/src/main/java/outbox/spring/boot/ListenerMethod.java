package outbox.spring.boot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.util.ReflectionUtils;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.model.Delivery;

/** Calls one {@link OutboxListener} method on behalf of the dispatcher. */
final class ListenerMethod implements EventListener {

    private final Supplier<Object> bean;
    private final Method method;
    private final List<String> eventTypes;
    private final EventCodec codec;

    /**
     * Creates a listener for a method of a bean.
     *
     * @param bean resolved at every call, as its scope requires
     * @throws IllegalArgumentException naming the method and what is wrong with it
     */
    ListenerMethod(Supplier<Object> bean, Method method, OutboxListener annotation, EventCodec codec) {
        this.bean = bean;
        this.method = method;
        this.codec = codec;
        requireSignature(annotation);
        this.eventTypes = annotation.value().length > 0
                ? List.of(annotation.value())
                : List.of(codec.classOf(method.getParameterTypes()[0])
                        .orElseThrow()
                        .eventType());
        ReflectionUtils.makeAccessible(method);
    }

    private void requireSignature(OutboxListener annotation) {
        if (method.getParameterCount() != 1 || method.getReturnType() != void.class) {
            throw wrong("must have one parameter and return nothing");
        }
        Class<?> parameter = method.getParameterTypes()[0];
        boolean plain = parameter == EventEnvelope.class || parameter == Delivery.class;
        if (!plain && codec.classOf(parameter).isEmpty()) {
            throw wrong("has a parameter of " + parameter.getName() + "; it may be a class with @OutboxEvent,"
                    + " outbox.EventEnvelope or outbox.model.Delivery");
        }
        if (!plain && Modifier.isAbstract(parameter.getModifiers())) {
            throw wrong("has the parameter " + parameter.getName() + ", which is abstract, so no payload can be read as"
                    + " one; write a method for each event class, or take outbox.EventEnvelope");
        }
        if (plain && annotation.value().length == 0) {
            throw wrong(
                    "does not name the event types that it receives: name them, as in @OutboxListener(\"OrderPaid\");"
                            + " \"*\" is every type");
        }
        if (List.of(annotation.value()).stream().anyMatch(String::isBlank)) {
            throw wrong("names a blank event type; \"*\" is every type");
        }
    }

    private IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException("@OutboxListener method " + this + " " + problem);
    }

    List<String> eventTypes() {
        return eventTypes;
    }

    @Override
    public void onEvent(EventEnvelope event) throws Exception {
        onDelivery(new Delivery(event, 1));
    }

    @Override
    public void onDelivery(Delivery delivery) throws Exception {
        Class<?> parameter = method.getParameterTypes()[0];
        Object argument = parameter == Delivery.class
                ? delivery
                : parameter == EventEnvelope.class ? delivery.event() : codec.read(delivery.event(), parameter);
        try {
            method.invoke(bean.get(), argument);
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
