package catbox.server.engine;

import catbox.server.config.Routing;
import catbox.server.config.ServerConfig;
import catbox.server.pulse.Pulses;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs all sources of the server. */
public final class Engine implements AutoCloseable {

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Pulses pulses = new Pulses();

    /** Creates the sources, which are started later. */
    public Engine(ServerConfig config, MeterRegistry registry) {
        new TreeMap<>(config.sources()).forEach((name, plan) -> add(new Source(plan, config.routing(), registry)));
    }

    private void add(Source source) {
        sources.put(source.plan().name(), source);
        pulses.add(source.plan().name(), source.counter(), source::statistics);
    }

    public void start() {
        sources.values().forEach(Source::start);
    }

    public Map<String, Source> sources() {
        return sources;
    }

    /** The threads that have ended although their relays are open, with the names of the sources. */
    public List<String> endedThreads() {
        return sources.values().stream()
                .flatMap(source -> source.endedThreads().stream()
                        .map(thread -> source.plan().name() + ": " + thread))
                .toList();
    }

    /** The live figures of all sources. The web part starts them. */
    public Pulses pulses() {
        return pulses;
    }

    /**
     * Changes routes, destinations and pauses while the sources run: of all sources, or of none when one of the new
     * destinations cannot be opened.
     *
     * @param paused by source
     */
    public void change(Routing routing, Map<String, Boolean> paused) {
        List<Source.Change> changes = new ArrayList<>();
        try {
            sources.forEach((name, source) -> changes.add(source.prepare(routing, paused.getOrDefault(name, false))));
        } catch (RuntimeException e) {
            changes.forEach(Source.Change::discard);
            throw e;
        }
        changes.forEach(Source.Change::apply);
    }

    /** Records for the doctor why the present content of the file was not applied; without errors, that it was. */
    public void reloaded(List<String> errors) {
        sources.values().forEach(source -> source.reloaded(errors));
    }

    /** Closes all sources at the same time, because each may take its whole drain timeout. */
    @Override
    public void close() {
        List<Thread> closing = sources.values().stream()
                .map(source -> Thread.ofPlatform()
                        .name("catbox-close-" + source.plan().name())
                        .start(source::close))
                .toList();
        try {
            for (Thread each : closing) {
                each.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
