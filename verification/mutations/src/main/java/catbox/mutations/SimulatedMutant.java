package catbox.mutations;

import catbox.simulation.Simulator;
import java.io.IOException;
import java.io.InputStream;

/**
 * The library and the simulator once more, in a class loader of their own, with some of their classes exchanged. Everything
 * else is the same class files as outside.
 */
final class SimulatedMutant extends ClassLoader {

    private final Compiled changed;

    SimulatedMutant(Compiled changed) {
        super(SimulatedMutant.class.getClassLoader());
        this.changed = changed;
    }

    /** Runs seeds until one is bad. */
    Outcome run(int seedsMax) throws ReflectiveOperationException {
        Object result = loadClass(Simulator.class.getName())
                .getMethod("run", long.class, int.class, int.class)
                .invoke(null, 0L, seedsMax, 1);
        boolean good = Boolean.TRUE.equals(result.getClass().getMethod("isGood").invoke(result));
        String runs = String.valueOf(result.getClass().getMethod("runs").invoke(result));
        return new Outcome(good, Long.parseLong(runs), result.toString());
    }

    /** What came of the seeds. */
    record Outcome(boolean isGood, long runs, String story) {

        /** The first promise that was broken. */
        String firstViolation() {
            return story.lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("at "))
                    .findFirst()
                    .orElse("nothing");
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith("outbox.") && !name.startsWith("catbox.simulation.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    // Without a place of origin, so that the measuring of coverage leaves it alone.
    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = changed.classes().get(name);
        if (bytes == null) {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                bytes = in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
