package outbox.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.EventType;

final class DefaultListenerRegistryTest {

    private enum UserEvents implements EventType {
        USER_CREATED,
        USER_DELETED
    }

    /** A listener with a name, so that a failed comparison can be read. */
    private record Named(String name) implements EventListener {
        @Override
        public void onEvent(EventEnvelope event) {}
    }

    private final EventListener a = new Named("a");
    private final EventListener b = new Named("b");
    private final EventListener every = new Named("every");
    private final EventListener everyToo = new Named("everyToo");
    private final DefaultListenerRegistry registry = new DefaultListenerRegistry();

    @Test
    void knowsNobodyAtFirst() {
        assertThat(registry.listenersFor("UserCreated")).isEmpty();
    }

    @Test
    void findsListenersOfTheExactTypeOnly() {
        registry.register("UserCreated", a).register("UserDeleted", b);

        assertThat(registry.listenersFor("UserCreated")).containsExactly(a);
        assertThat(registry.listenersFor("UserDeleted")).containsExactly(b);
        assertThat(registry.listenersFor("usercreated")).isEmpty();
        assertThat(registry.listenersFor("User")).isEmpty();
    }

    @Test
    void findsListenersOfATypeByItsName() {
        registry.register(UserEvents.USER_CREATED, a).register("USER_CREATED", b);

        assertThat(registry.listenersFor("USER_CREATED")).containsExactly(a, b);
        assertThat(registry.listenersFor(UserEvents.USER_DELETED.name())).isEmpty();
    }

    @Test
    void putsThoseOfEveryTypeLast() {
        registry.registerAll(every).register("A", b).registerAll(everyToo).register("A", a);

        assertThat(registry.listenersFor("A")).containsExactly(b, a, every, everyToo);
        assertThat(registry.listenersFor("B")).containsExactly(every, everyToo);
    }

    @Test
    void takesTheStarForEveryType() {
        EventType star = () -> "*";
        registry.register("*", every).register(star, everyToo);

        assertThat(registry.listenersFor("A")).containsExactly(every, everyToo);
        assertThat(registry.listenersFor("*")).containsExactly(every, everyToo);
    }

    @Test
    void callsAListenerAsOftenAsItIsRegistered() {
        registry.register("A", a).registerAll(a).register("A", a);

        assertThat(registry.listenersFor("A")).containsExactly(a, a, a);
    }

    @Test
    void removesOneRegistration() {
        registry.register("A", a).register("A", b).register("A", a).register("B", a);

        assertThat(registry.unregister("A", a)).isTrue();
        assertThat(registry.listenersFor("A")).containsExactly(b, a);
        assertThat(registry.listenersFor("B")).containsExactly(a);
    }

    @Test
    void removesByType() {
        registry.register(UserEvents.USER_CREATED, a);

        assertThat(registry.unregister(UserEvents.USER_CREATED, a)).isTrue();
        assertThat(registry.listenersFor("USER_CREATED")).isEmpty();
    }

    @Test
    void removesThoseOfEveryType() {
        registry.registerAll(every).register("A", every).registerAll(everyToo);

        assertThat(registry.unregisterAll(every)).isTrue();
        assertThat(registry.unregister("*", everyToo)).isTrue();
        assertThat(registry.listenersFor("A")).containsExactly(every);
        assertThat(registry.listenersFor("B")).isEmpty();
    }

    @Test
    void saysWhenThereWasNothingToRemove() {
        registry.register("A", a).registerAll(every);

        assertThat(registry.unregister("A", b)).isFalse();
        assertThat(registry.unregister("B", a)).isFalse();
        assertThat(registry.unregister("A", every)).isFalse();
        assertThat(registry.unregisterAll(a)).isFalse();
        assertThat(registry.unregister("A", a)).isTrue();
        assertThat(registry.unregister("A", a)).isFalse();
    }

    @Test
    void lendsItsListsForReadingOnly() {
        registry.register("A", a).registerAll(every);

        for (String type : List.of("A", "B")) {
            List<EventListener> found = registry.listenersFor(type);
            assertThatThrownBy(() -> found.add(b)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> found.remove(0)).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void leavesAListThatWasGivenOutAsItWas() {
        registry.register("A", a).registerAll(every);
        List<EventListener> ofA = registry.listenersFor("A");
        List<EventListener> ofB = registry.listenersFor("B");
        registry.register("A", b).registerAll(everyToo);
        registry.unregister("A", a);
        registry.unregisterAll(every);

        assertThat(ofA).containsExactly(a, every);
        assertThat(ofB).containsExactly(every);
        assertThat(registry.listenersFor("A")).containsExactly(b, everyToo);
    }

    @Test
    void mayBeChangedWhileItsListenersAreBeingCalled() {
        registry.register("A", a).register("A", b);
        int called = 0;
        for (EventListener listener : registry.listenersFor("A")) {
            called++;
            registry.unregister("A", listener);
            registry.register("A", every);
            registry.registerAll(everyToo);
        }

        assertThat(called).isEqualTo(2);
        assertThat(registry.listenersFor("A")).containsExactly(every, every, everyToo, everyToo);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void refusesATypeWithoutName(String type) {
        assertThatThrownBy(() -> registry.register(type, a))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("blank");
    }
}
