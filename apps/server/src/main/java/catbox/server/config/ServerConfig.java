package catbox.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The content of the server's file.
 *
 * @param nodeId this node's name in every cluster, as operators see it
 * @param sources by their names
 */
public record ServerConfig(
        WebPlan web,
        AccessPlan access,
        LoggingPlan logging,
        String nodeId,
        Map<String, SourcePlan> sources,
        Routing routing) {

    public ServerConfig {
        sources = Map.copyOf(sources);
    }

    /** The changes that a running server cannot apply; empty when only routes, destinations and pauses differ. */
    public List<String> changesThatNeedARestart(ServerConfig next) {
        List<String> changes = new ArrayList<>();
        require(web.equals(next.web()), "server", changes);
        require(access.equals(next.access()), "access", changes);
        require(logging.equals(next.logging()), "logging", changes);
        require(nodeId.equals(next.nodeId()), "node.id", changes);
        Set<String> names = new TreeSet<>(sources.keySet());
        names.addAll(next.sources().keySet());
        for (String name : names) {
            SourcePlan before = sources.get(name);
            SourcePlan after = next.sources().get(name);
            if (before == null || after == null) {
                changes.add("source " + name + " was " + (before == null ? "added" : "removed")
                        + ", which needs a restart");
            } else if (!before.equalsExceptPause(after)) {
                changes.add("source " + name
                        + " was changed, which needs a restart; a running server can change only its setting paused");
            }
        }
        return changes;
    }

    private static void require(boolean same, String part, List<String> changes) {
        if (!same) {
            changes.add(part + " was changed, which needs a restart");
        }
    }
}
