package catbox.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;

/** The relay processes that are alive. Used by one thread, except for {@link #close}. */
final class Relays implements AutoCloseable {

    static final Duration HEARTBEAT = Duration.ofMillis(500);
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final Duration DELIVERING = Duration.ofSeconds(2);

    private final Site site;
    private final SplittableRandom random;
    private final List<Child> alive = new ArrayList<>();
    private ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, Ownership.PARTITIONS_AT_FIRST);
    private int started;

    /** The locations of the database and the records. */
    record Site(Path folder, String address) {

        Path journal() {
            return folder.resolve("journal.txt");
        }

        Path writerLog(String writer) {
            return folder.resolve(writer + ".txt");
        }
    }

    Relays(Site site, SplittableRandom random) {
        this.site = site;
        this.random = random;
    }

    ClusterLayout terms() {
        return terms;
    }

    /** Sets the layout of relays that are started from now on. */
    void terms(ClusterLayout value) {
        terms = value;
    }

    /** Starts a relay without waiting for it; it counts as alive from now on. */
    Child begin() throws IOException {
        String name = "relay-" + ++started;
        Child child = Child.start(
                site.folder(),
                RelayMain.class,
                name,
                List.of(
                        site.address(),
                        terms.strategy().name(),
                        Integer.toString(terms.partitions()),
                        Long.toString(HEARTBEAT.toMillis()),
                        Long.toString(TIMEOUT.toMillis()),
                        Long.toString(random.nextLong()),
                        site.journal().toString()));
        alive.add(child);
        return child;
    }

    int size() {
        return alive.size();
    }

    int started() {
        return started;
    }

    Child any() {
        return alive.get(random.nextInt(alive.size()));
    }

    /** Returns a relay that owns partitions. */
    Child owner() throws InterruptedException {
        // A thawed relay may not have noticed yet that other relays own its partitions.
        Wait.until("partitions are owned, each by one relay", Child.WAIT_MAX, () -> {
            int claimed = alive.stream().mapToInt(child -> child.owned().size()).sum();
            return claimed > 0 && claimed == owned(alive).size();
        });
        List<Child> owners =
                alive.stream().filter(child -> !child.owned().isEmpty()).toList();
        return owners.get(random.nextInt(owners.size()));
    }

    void remove(Child child) {
        alive.remove(child);
    }

    /** Waits until other relays own the partitions, and for a while until they deliver, if there are events. */
    void awaitTakeover(Set<Integer> owned, Child except) throws InterruptedException {
        List<Child> others = alive.stream().filter(child -> child != except).toList();
        Wait.until(
                "the partitions " + owned + " of " + except.name() + " are taken over",
                Child.WAIT_MAX,
                () -> owned(others).containsAll(owned));
        Wait.within(
                DELIVERING, () -> others.stream().anyMatch(child -> !Collections.disjoint(child.delivering(), owned)));
    }

    /** Waits until every partition has an owner, as the strategy requires. */
    void awaitAllOwned() throws InterruptedException {
        Wait.until("every partition of " + terms + " is owned", Child.WAIT_MAX, () -> {
            boolean all = owned(alive).size() == terms.partitions();
            long owners =
                    alive.stream().filter(child -> !child.owned().isEmpty()).count();
            return all && (owners == 1) == (terms.strategy() == ClaimStrategy.PRIMARY || alive.size() == 1);
        });
    }

    private static Set<Integer> owned(List<Child> children) {
        Set<Integer> owned = new HashSet<>();
        children.forEach(child -> owned.addAll(child.owned()));
        return owned;
    }

    /** Stops all of them in an orderly manner. */
    void stopAll() throws InterruptedException {
        alive.forEach(Child::askToClose);
        for (Child child : alive) {
            child.awaitClosed();
        }
    }

    @Override
    public void close() {
        List.copyOf(alive).forEach(Child::close);
    }
}
