package outbox.relay;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import outbox.OutboxException;
import outbox.spi.ClaimStore;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.RelayStores;
import outbox.testkit.InMemoryStore;

/** What lies between a node and its store: counts the calls, fails while it is cut, and lets a test watch. */
public final class Line {

    private static final Set<String> ASKS_NO_STORE = Set.of("isWatched", "fetchesAllAtOnce");

    private final Map<String, Integer> calls = new TreeMap<>();
    private Consumer<String> before = name -> {};
    private Consumer<String> after = name -> {};
    private Alteration alter = (name, answer) -> answer;
    private boolean cut;

    /** Changes what a call answers. */
    @FunctionalInterface
    public interface Alteration {
        Object apply(String name, Object answer);
    }

    /** The stores of a node behind this line. */
    public RelayStores stores(InMemoryStore store) {
        return new RelayStores(
                over(PartitionStore.class, store.relayStore()),
                over(ClusterStore.class, store.clusterStore()),
                over(ClaimStore.class, store.claimStore()));
    }

    public <T> T over(Class<T> port, T target) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (self, method, args) -> {
            if (!ASKS_NO_STORE.contains(method.getName())) {
                begin(method.getName());
            }
            try {
                Object answer = method.invoke(target, args);
                after.accept(method.getName());
                return alter.apply(method.getName(), answer);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private synchronized void begin(String name) {
        calls.merge(name, 1, Integer::sum);
        before.accept(name);
        if (cut) {
            throw new OutboxException("the database is away");
        }
    }

    /** Changes the answers of calls from now on. */
    public void alter(Alteration how) {
        alter = how;
    }

    public synchronized void cut() {
        cut = true;
    }

    public synchronized boolean isCut() {
        return cut;
    }

    public synchronized void mend() {
        cut = false;
    }

    /** Receives the name of each call before it reaches the store. */
    public synchronized void before(Consumer<String> watcher) {
        before = watcher;
    }

    /** Receives the name of each call after the store has done it; the caller gets what it throws. */
    public synchronized void after(Consumer<String> watcher) {
        after = watcher;
    }

    public synchronized int calls(String name) {
        return calls.getOrDefault(name, 0);
    }

    public synchronized int calls() {
        return calls.values().stream().mapToInt(Integer::intValue).sum();
    }

    public synchronized void forgetCalls() {
        calls.clear();
    }

    @Override
    public synchronized String toString() {
        return "calls " + calls;
    }
}
