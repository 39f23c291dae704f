package outbox.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Bounds the values of a label: the first names stay, and all later ones share {@value #OTHER}. */
final class BoundedNames {

    static final String OTHER = "other";
    static final int EVENT_TYPES_MAX = 100;

    private final int max;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    BoundedNames(int max) {
        this.max = max;
    }

    String of(String name) {
        if (known.contains(name)) {
            return name;
        }
        return admit(name) ? name : OTHER;
    }

    private synchronized boolean admit(String name) {
        if (known.size() < max) {
            known.add(name);
        }
        return known.contains(name);
    }
}
