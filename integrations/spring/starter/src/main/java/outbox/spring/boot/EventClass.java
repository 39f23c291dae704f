package outbox.spring.boot;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * The values of a class's {@link OutboxEvent} annotation.
 *
 * @param aggregateType null when there is none
 * @param key reads the aggregate id; null when there is none
 */
record EventClass(
        Class<?> javaClass,
        String eventType,
        @Nullable String aggregateType,
        @Nullable Method key) {

    private static final String SUFFIX = "Event";

    static boolean isEvent(Class<?> javaClass) {
        return AnnotatedElementUtils.hasAnnotation(javaClass, OutboxEvent.class);
    }

    /**
     * Reads the annotation.
     *
     * @throws IllegalArgumentException when the class has none, or its key names no property
     */
    static EventClass of(Class<?> javaClass) {
        OutboxEvent annotation = AnnotatedElementUtils.findMergedAnnotation(javaClass, OutboxEvent.class);
        if (annotation == null) {
            throw new IllegalArgumentException(javaClass.getName() + " has no @OutboxEvent");
        }
        return new EventClass(
                javaClass,
                annotation.type().isEmpty() ? nameOf(javaClass) : annotation.type(),
                annotation.aggregateType().isEmpty() ? null : annotation.aggregateType(),
                annotation.key().isEmpty() ? null : accessor(javaClass, annotation.key()));
    }

    private static String nameOf(Class<?> javaClass) {
        String name = javaClass.getSimpleName();
        return name.endsWith(SUFFIX) && name.length() > SUFFIX.length()
                ? name.substring(0, name.length() - SUFFIX.length())
                : name;
    }

    private static Method accessor(Class<?> javaClass, String property) {
        Map<String, Method> properties = properties(javaClass);
        Method accessor = properties.get(property);
        if (accessor == null) {
            throw new IllegalArgumentException("@OutboxEvent of " + javaClass.getName() + " has key = \"" + property
                    + "\", and there is no such property; there are " + properties.keySet());
        }
        ReflectionUtils.makeAccessible(accessor);
        return accessor;
    }

    /** Returns the record components and the methods {@code name()} and {@code getName()} by property name. */
    private static Map<String, Method> properties(Class<?> javaClass) {
        Map<String, Method> properties = new TreeMap<>();
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(javaClass)) {
            if (method.getParameterCount() == 0
                    && method.getReturnType() != void.class
                    && method.getDeclaringClass() != Object.class
                    && !Modifier.isStatic(method.getModifiers())
                    && !Modifier.isPrivate(method.getModifiers())
                    && !method.isSynthetic()
                    && !ReflectionUtils.isObjectMethod(method)) {
                String name = method.getName();
                boolean getter = name.length() > 3 && name.startsWith("get") && Character.isUpperCase(name.charAt(3));
                properties.put(getter ? StringUtils.uncapitalize(name.substring(3)) : name, method);
            }
        }
        return properties;
    }

    /** Returns the event's aggregate id, or null when the class has none. */
    @Nullable
    String keyOf(Object event) {
        if (key == null) {
            return null;
        }
        Object value = ReflectionUtils.invokeMethod(key, event);
        if (value == null) {
            throw new IllegalArgumentException("the key of an event of type " + eventType + " is null: "
                    + javaClass.getName() + "." + key.getName() + "()");
        }
        return value.toString();
    }
}
