package catbox.cli.command;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Ctrl-C, for work that is better stopped between two steps than within one. */
public interface StopSignal {

    /** From now on Ctrl-C does not end the process at once, but makes this true; a second one ends it. */
    BooleanSupplier listen();

    /** That of the operating system. Signals are no part of the standard: without them Ctrl-C ends the process. */
    static StopSignal ofSystem() {
        return () -> {
            AtomicBoolean stopped = new AtomicBoolean();
            listen(() -> {
                if (stopped.getAndSet(true)) {
                    Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
                }
            });
            return stopped::get;
        };
    }

    // By reflection, because the compiler warns of what is not of the standard.
    private static void listen(Runnable action) {
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
                    .invoke(null, signal.getConstructor(String.class).newInstance("INT"), listening);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // A runtime without signals: Ctrl-C ends the process at once, and what was done stays done.
        }
    }
}
