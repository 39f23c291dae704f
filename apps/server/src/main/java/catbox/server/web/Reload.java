package catbox.server.web;

import catbox.server.config.ConfigFile;
import catbox.server.config.ServerConfig;
import catbox.server.config.SourcePlan;
import catbox.server.config.WrongConfigException;
import catbox.server.engine.Engine;
import catbox.server.engine.Problem;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the server's file again and applies what can change while the server runs: all changes, or none. */
final class Reload {

    private static final Logger LOG = System.getLogger(Reload.class.getName());

    private final ConfigFile file;
    private final Engine engine;
    private ServerConfig current; // guarded by this

    Reload(ConfigFile file, Engine engine) {
        this.file = file;
        this.engine = engine;
        this.current = file.started();
    }

    /**
     * The result of a reload.
     *
     * @param complaints why nothing was changed; empty if the file was applied
     */
    record Result(List<String> complaints) {
        boolean isDone() {
            return complaints.isEmpty();
        }
    }

    synchronized Result run() {
        Result result = attempt();
        engine.reloaded(result.complaints());
        if (result.isDone()) {
            LOG.log(Level.INFO, "{0} was read again: its routes, destinations and pauses are in effect", file.path());
        } else {
            result.complaints()
                    .forEach(complaint -> LOG.log(
                            Level.ERROR, "{0} was read again, and nothing was changed: {1}", file.path(), complaint));
        }
        return result;
    }

    private Result attempt() {
        try {
            ServerConfig next = file.read();
            List<String> fixed = current.changesThatNeedARestart(next);
            if (!fixed.isEmpty()) {
                return new Result(fixed);
            }
            Map<String, Boolean> paused =
                    next.sources().values().stream().collect(Collectors.toMap(SourcePlan::name, SourcePlan::paused));
            engine.change(next.routing(), paused);
            current = next;
            return new Result(List.of());
        } catch (WrongConfigException e) {
            return new Result(new ArrayList<>(e.errors()));
        } catch (RuntimeException e) {
            return new Result(List.of(Problem.describe(e)));
        }
    }
}
