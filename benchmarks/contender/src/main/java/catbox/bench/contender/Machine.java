package catbox.bench.contender;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** What this JVM has used since it began. */
final class Machine {

    private Machine() {}

    /** By all threads, also those that have ended. */
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
