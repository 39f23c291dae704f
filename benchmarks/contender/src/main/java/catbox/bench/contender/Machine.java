package catbox.bench.contender;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Resources that this JVM has used since its start. */
final class Machine {

    private Machine() {}

    /** Returns the bytes that all threads have allocated, including ended ones. */
    static long allocatedBytes() {
        return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
                ? threads.getTotalThreadAllocatedBytes()
                : -1;
    }

    static long collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
