package outbox.testkit;

import java.lang.reflect.Field;
import outbox.internal.SupervisedLoop;

/** Ends loops as nothing else does: no failure ends one, so its body is taken away. */
public final class EndedLoop {

    private EndedLoop() {}

    /** Ends a loop after its current iteration. */
    public static void end(SupervisedLoop loop) {
        SupervisedLoop.Body last = () -> false;
        try {
            Field body = SupervisedLoop.class.getDeclaredField("body");
            body.setAccessible(true);
            body.set(loop, last);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        loop.wake();
    }

    /**
     * Ends the loop that an object holds, or what it is made of.
     *
     * @param path the fields that lead to the loop
     */
    public static void in(Object owner, String... path) {
        Object at = owner;
        for (String name : path) {
            at = read(at, name);
        }
        end((SupervisedLoop) at);
    }

    private static Object read(Object owner, String name) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no " + name + " in " + owner, e);
        }
    }
}
