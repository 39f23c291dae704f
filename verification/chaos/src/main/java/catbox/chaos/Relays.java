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

/** The relay processes that are alive. Belongs to one thread, but for {@link #close}. */
final class Relays implements AutoCloseable {

    static final Duration HEARTBEAT = Duration.ofMillis(500);
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final Duration DELIVERING = Duration.ofSeconds(2);

    private final Site site;
    private final SplittableRandom random;
    private final List<Child> alive = new ArrayList<>();
    private ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, Ownership.PARTITIONS_AT_FIRST);
    private int started;

    /** Where processes find the database and leave their records. */
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

    /** What relays are started with from now on. */
    void terms(ClusterLayout value) {
        terms = value;
    }

    /** Begins to start a relay; it counts as alive from now on. */
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

    /** One that owns slots. */
    Child owner() throws InterruptedException {
        // A relay that was thawed may still have to find out that its slots are others' by now.
        Patience.until("slots are owned, each by one relay", Child.PATIENCE, () -> {
            int claimed = alive.stream().mapToInt(child -> child.slots().size()).sum();
            return claimed > 0 && claimed == owned(alive).size();
        });
        List<Child> owners =
                alive.stream().filter(child -> !child.slots().isEmpty()).toList();
        return owners.get(random.nextInt(owners.size()));
    }

    void remove(Child child) {
        alive.remove(child);
    }

    /** Waits until relays other than this one own the slots, and for a while until they deliver, if there is what. */
    void awaitTakeover(Set<Integer> slots, Child butNotBy) throws InterruptedException {
        List<Child> others = alive.stream().filter(child -> child != butNotBy).toList();
        Patience.until(
                "the slots " + slots + " of " + butNotBy.name() + " are taken over",
                Child.PATIENCE,
                () -> owned(others).containsAll(slots));
        Patience.within(
                DELIVERING, () -> others.stream().anyMatch(child -> !Collections.disjoint(child.delivering(), slots)));
    }

    /** Waits until every slot has an owner, in the way that the strategy asks for. */
    void awaitAllOwned() throws InterruptedException {
        Patience.until("every slot of " + terms + " is owned", Child.PATIENCE, () -> {
            boolean all = owned(alive).size() == terms.partitions();
            long owners =
                    alive.stream().filter(child -> !child.slots().isEmpty()).count();
            return all && (owners == 1) == (terms.strategy() == ClaimStrategy.PRIMARY || alive.size() == 1);
        });
    }

    private static Set<Integer> owned(List<Child> children) {
        Set<Integer> slots = new HashSet<>();
        children.forEach(child -> slots.addAll(child.slots()));
        return slots;
    }

    /** Stops all of them in the orderly way. */
    void stopAll() throws InterruptedException {
        alive.forEach(Child::tellToClose);
        for (Child child : alive) {
            child.awaitClosed();
        }
    }

    @Override
    public void close() {
        List.copyOf(alive).forEach(Child::close);
    }
}
