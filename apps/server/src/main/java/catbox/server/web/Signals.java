package catbox.server.web;

import java.lang.reflect.Proxy;

/** Listens for signals of the operating system. They are no part of the standard: there are runtimes without them. */
public final class Signals {

    /** What came of it. */
    public enum Listening {
        YES,
        /** The process was started with the signal ignored, as {@code nohup} does, and it stays so. */
        IGNORED,
        /** This runtime or platform has no such signal. */
        ABSENT
    }

    private Signals() {}

    /**
     * Has an action run when a signal comes, on a thread of the JVM that must not be held up.
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
            // The JVM leaves a signal alone that was ignored when it started, and says so only like this.
            return handler.getField("SIG_IGN").get(null).equals(before) ? Listening.IGNORED : Listening.YES;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return Listening.ABSENT;
        }
    }
}
