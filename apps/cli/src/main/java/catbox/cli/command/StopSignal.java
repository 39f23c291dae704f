package catbox.cli.command;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Ctrl-C, for work that should stop between two steps rather than within one. */
public interface StopSignal {

    /** Makes the first Ctrl-C set the returned flag to true; the second one ends the process. */
    BooleanSupplier listen();

    /** Uses signals if this runtime has them; they are not part of the Java standard. */
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

    // By reflection, because the compiler warns about classes outside the standard.
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
            // A runtime without signals: Ctrl-C ends the process at once. Finished steps stay finished.
        }
    }
}
