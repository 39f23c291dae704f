package catbox.server.web;

import java.lang.reflect.Proxy;

/** Listens for signals of the operating system. They are no part of the standard: there are runtimes without them. */
public final class Signals {

    private Signals() {}

    /**
     * Has an action run when a signal comes, on a thread of the JVM that must not be held up.
     *
     * @param name such as {@code HUP}
     * @return false when this runtime or platform has no such signal
     */
    public static boolean listen(String name, Runnable action) {
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
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), listening);
            return true;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return false;
        }
    }
}
