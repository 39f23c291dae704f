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

/** All sources of the server. */
public final class Engine implements AutoCloseable {

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Pulses pulses = new Pulses();

    /** Sources that have not started yet. */
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

    /** The threads of all relays that have ended although the relays are open, with the names of the sources. */
    public List<String> endedThreads() {
        return sources.values().stream()
                .flatMap(source -> source.endedThreads().stream()
                        .map(thread -> source.plan().name() + ": " + thread))
                .toList();
    }

    /** How they go; started by who shows it. */
    public Pulses pulses() {
        return pulses;
    }

    /**
     * Changes routes, destinations and pauses while everything runs: for all sources, or for none when one of the new
     * destinations cannot be opened.
     *
     * @param paused by source
     */
    public void change(Routing routing, Map<String, Boolean> paused) {
        List<Source.Change> changes = new ArrayList<>();
        try {
            sources.forEach((name, source) -> changes.add(source.ready(routing, paused.getOrDefault(name, false))));
        } catch (RuntimeException e) {
            changes.forEach(Source.Change::dismiss);
            throw e;
        }
        changes.forEach(Source.Change::make);
    }

    /** Tells who looks for faults that the file, as it is now, could not be taken over; with no complaint it was. */
    public void reloadRefused(List<String> complaints) {
        sources.values().forEach(source -> source.reloadRefused(complaints));
    }

    /** Closes all sources at the same time, since each may take as long as it is given to drain. */
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
