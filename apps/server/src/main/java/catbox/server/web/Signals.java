package catbox.server.web;

import java.lang.reflect.Proxy;

/** Listens for signals of the operating system. Not every Java runtime has the classes for it. */
public final class Signals {

    /** The result of an attempt to listen. */
    public enum Listening {
        YES,
        /** The process was started with the signal ignored, as {@code nohup} does, and it stays so. */
        IGNORED,
        /** This runtime or platform has no such signal. */
        ABSENT
    }

    private Signals() {}

    /**
     * Runs an action on each signal, on a thread of the JVM, which must not wait.
     *
     * @param name such as {@code HUP}
     */
    public static Listening listen(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object listening = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            Object before = signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), listening);
            // The JVM does not change a signal that was ignored when it started; only this comparison shows it.
            return handler.getField("SIG_IGN").get(null).equals(before) ? Listening.IGNORED : Listening.YES;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return Listening.ABSENT;
        }
    }
}
