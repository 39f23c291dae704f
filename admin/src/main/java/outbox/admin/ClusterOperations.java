package outbox.admin;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.view.DestinationView;
import outbox.admin.view.NodeView;
import outbox.admin.view.OperationResult;
import outbox.admin.view.RouteView;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Pause;

/** Pauses and resumes, drains nodes, and changes the number of partitions. */
record ClusterOperations(AdminStores stores, @Nullable RunningRelay live, String who) {

    OperationResult pause(Request.Pause request) {
        requireExists(request.subject());
        boolean added = stores.cluster().pause(request.subject(), request.reason(), who);
        String what = PauseText.subject(request.subject());
        return new OperationResult(added ? 1 : 0, what + (added ? " is paused" : " was already paused"));
    }

    OperationResult resume(Pause.Subject subject) {
        boolean removed = stores.cluster().resume(subject, who);
        String what = PauseText.subject(subject);
        return new OperationResult(removed ? 1 : 0, what + (removed ? " continues" : " was not paused"));
    }

    OperationResult drain(Request.Drain request) {
        Pause.Subject node = new Pause.Subject(Pause.Kind.NODE, request.nodeId());
        requireExists(node);
        boolean added = stores.cluster().pause(node, request.reason(), who);
        boolean anyLeft = !ClusterPicture.of(stores).able().isEmpty();
        return new OperationResult(
                added ? 1 : 0,
                PauseText.subject(node)
                        + (added ? " hands its work over" : " was already drained")
                        + (anyLeft
                                ? ""
                                : "; no other node can take over, so nothing is delivered until a node is resumed or"
                                        + " started"));
    }

    /** A pause of something that does not exist would have no effect, and go unnoticed. */
    private void requireExists(Pause.Subject subject) {
        String name = subject.name();
        switch (subject.kind()) {
            case SOURCE, KEY -> {}
            case PARTITION -> {
                int partitions = stores.events().cluster().partitions().size();
                if (Integer.parseInt(name) >= partitions) {
                    throw new NoSuchElementException("there is no partition " + name + ": "
                            + (partitions == 0 ? "there are none" : "they are 0 to " + (partitions - 1)));
                }
            }
            case NODE ->
                requireAmong(
                        "node",
                        name,
                        stores.events().cluster().nodes().stream()
                                .map(node -> node.member().nodeId())
                                .distinct());
            case ROUTE ->
                requireKnown("route", name, relay -> relay.routes(null).stream().map(RouteView::name));
            case DESTINATION ->
                requireKnown(
                        "destination",
                        name,
                        relay -> relay.destinations().stream().map(DestinationView::name));
        }
    }

    /** Without a running relay, routes and destinations are not known. */
    private void requireKnown(String what, String name, Function<RunningRelay, Stream<String>> names) {
        if (live != null) {
            requireAmong(what, name, names.apply(live));
        }
    }

    private static void requireAmong(String what, String name, Stream<String> known) {
        List<String> names = known.toList();
        if (!names.contains(name)) {
            throw new NoSuchElementException("there is no " + what + " " + name
                    + (names.isEmpty() ? ", and no other" : ", there are " + String.join(", ", names)));
        }
    }

    /** Live nodes spread the partitions themselves, so all that can be changed is their number; null shows the owners. */
    OperationResult rebalance(@Nullable Integer partitions) {
        ClusterPicture picture = ClusterPicture.of(stores);
        ClusterLayout layout = picture.report().terms();
        if (layout == null || !layout.strategy().usesPartitions()) {
            throw new IllegalArgumentException("there are no partitions to spread: "
                    + (layout == null ? "no relay has ever worked on this table" : "its relays claim by lease"));
        }
        if (partitions == null) {
            return new OperationResult(0, owners(picture));
        }
        int wanted = new ClusterLayout(layout.strategy(), partitions).partitions(); // Checks the number.
        Integer changingTo = picture.report().partitionsWanted();
        if (wanted == (changingTo == null ? layout.partitions() : changingTo)) {
            return new OperationResult(0, "there are " + wanted + " partitions already, or will be soon");
        }
        stores.cluster().changePartitions(wanted, who);
        return new OperationResult(
                1,
                "from " + layout.partitions() + " to " + wanted
                        + " partitions: every node hands over its partitions and continues with the new ones within"
                        + " seconds");
    }

    private static String owners(ClusterPicture picture) {
        int free = picture.partitionsWithoutOwner().size();
        return picture.nodes().stream()
                .filter(NodeView::alive)
                .map(node -> node.nodeId() + " has " + node.partitions() + ", ")
                .collect(Collectors.joining(
                        "",
                        "live nodes spread the partitions automatically, by weight; now ",
                        free + (free == 1 ? " has no owner" : " have no owner")));
    }
}
