package catbox.bench.contest;

import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** The contenders of a contest, each started when it is first needed and kept until the end, so that it stays warm. */
final class Stage implements AutoCloseable {

    private final Arena arena;
    private final Results results;
    private final Map<Entrant, Actor> actors = new EnumMap<>(Entrant.class);
    private final Map<Entrant, Place> places = new EnumMap<>(Entrant.class);
    private long numbersGiven;

    /** A contender with its environment. */
    record Actor(Entrant entrant, Place place, ContenderProcess process) {}

    Stage(Arena arena, Results results) {
        this.arena = arena;
        this.results = results;
    }

    Arena arena() {
        return arena;
    }

    Actor actor(Entrant entrant) throws IOException, InterruptedException, ExecutionException {
        Actor known = actors.get(entrant);
        if (known != null) {
            return known;
        }
        Place left = places.get(entrant);
        Place place = left == null ? arena.place(entrant.label()) : left;
        places.put(entrant, place);
        Actor actor = new Actor(entrant, place, start(entrant, place));
        actors.put(entrant, actor);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("workload", "contender");
        line.put("contender", entrant.label());
        line.put("kind", entrant.kind().name());
        line.put("settings", actor.process().settings());
        results.add(line);
        return actor;
    }

    /** Ends a contender that failed; the next trial starts it again. */
    void leave(Entrant entrant) {
        Actor actor = actors.remove(entrant);
        if (actor != null) {
            actor.process().close();
        }
    }

    /** Starts one more process on the same database and topic; the caller closes it. */
    ContenderProcess anotherNode(Actor actor, int number) throws IOException, InterruptedException {
        Place place = actor.place();
        return start(
                actor.entrant(),
                new Place(place.database(), place.topic(), place.variant(), place.variant() + "-" + number));
    }

    private ContenderProcess start(Entrant entrant, Place place) throws IOException, InterruptedException {
        Path logs = Files.createDirectories(results.folder().resolve("logs"));
        return new ContenderProcess(entrant.program(), place, logs.resolve(place.node() + ".log"));
    }

    /** Returns a plan with unique numbers. */
    EventPlan plan(int events, int keys, int hotPercent, int bytes) {
        EventPlan plan = new EventPlan(numbersGiven, events, keys, hotPercent, bytes);
        numbersGiven += events;
        return plan;
    }

    Meters meters(Actor actor, List<ContenderProcess> processes) throws SQLException {
        return Meters.now(
                arena.watching(),
                Arena.databaseName(actor.entrant().label()),
                processes.stream().map(ContenderProcess::pid).collect(Collectors.toSet()));
    }

    @Override
    public void close() {
        actors.values().forEach(actor -> actor.process().close());
    }
}
