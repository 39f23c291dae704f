package outbox.relay.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.relay.route.Match;
import outbox.relay.route.Route;
import outbox.relay.route.RouteTable;
import outbox.relay.route.RouteTable.Target;
import outbox.spi.Settings;

/**
 * The settings of routes: {@code name}, {@code match.source}, {@code match.event-type},
 * {@code match.aggregate-type}, {@code match.tenant}, {@code match.header.NAME}, and either {@code to}, a list of
 * {@code DESTINATION} or {@code DESTINATION/ADDRESS}, or {@code drop}, a reason; {@code weight} and {@code paused}. A
 * route without a match takes every event.
 *
 * @param paused the names of the paused routes
 */
public record RouteSettings(RouteTable table, Set<String> paused) {

    /**
     * Reads the routes in their order.
     *
     * @throws IllegalArgumentException naming every wrong route and what is wrong with it
     */
    public static RouteSettings read(List<Map<String, String>> routes) {
        RouteTable.Builder table = RouteTable.builder();
        List<IllegalArgumentException> errors = new ArrayList<>();
        Set<String> paused = new LinkedHashSet<>();
        int number = 0;
        int added = 0;
        for (Map<String, String> values : routes) {
            number++;
            String name = Optional.ofNullable(values.get("name")).orElse("number " + number);
            Settings settings = new Settings("route " + name, name, values);
            try {
                add(table, settings);
                added++;
                if (settings.flag("paused", false)) {
                    paused.add(name);
                }
                settings.requireAllKnown();
            } catch (IllegalArgumentException e) {
                errors.add(e);
            }
        }
        if (added == 0 && !errors.isEmpty()) {
            throw combined(errors); // A table without routes would be an error too.
        }
        return new RouteSettings(built(table, errors), Set.copyOf(paused));
    }

    /** Routes every event to the only destination. */
    public static RouteSettings everythingTo(String destination) {
        return new RouteSettings(
                RouteTable.builder().otherwise(Target.to(destination)).build(), Set.of());
    }

    private static void add(RouteTable.Builder table, Settings settings) {
        String name = settings.required("name");
        Match match = match(settings);
        List<String> targets = settings.list("to");
        Optional<String> drop = settings.text("drop");
        int weight = settings.number("weight", 1, 1, Route.WEIGHT_MAX);
        if (drop.isPresent() && !targets.isEmpty()) {
            throw settings.wrong("drop", "is given together with to: events are delivered or dropped, not both");
        }
        if (drop.isPresent()) {
            table.drop(name, match, drop.get());
        } else {
            table.route(
                    name,
                    match,
                    weight,
                    targets.stream().map(RouteSettings::target).toArray(Target[]::new));
        }
    }

    private static Match match(Settings settings) {
        Match match = Match.all();
        match = settings.text("match.source").map(match::source).orElse(match);
        match = settings.text("match.event-type").map(match::eventType).orElse(match);
        match = settings.text("match.aggregate-type").map(match::aggregateType).orElse(match);
        match = settings.text("match.tenant").map(match::tenant).orElse(match);
        for (Map.Entry<String, String> header : settings.group("match.header").entrySet()) {
            match = match.header(header.getKey(), header.getValue());
        }
        return match;
    }

    private static Target target(String text) {
        int slash = text.indexOf('/');
        return slash < 0 ? Target.to(text) : Target.to(text.substring(0, slash), text.substring(slash + 1));
    }

    private static RouteTable built(RouteTable.Builder table, List<IllegalArgumentException> errors) {
        try {
            RouteTable built = table.build();
            if (errors.isEmpty()) {
                return built;
            }
        } catch (IllegalArgumentException e) {
            errors.add(e);
        }
        throw combined(errors);
    }

    // The cause is the first error, which has the wrong setting.
    private static IllegalArgumentException combined(List<IllegalArgumentException> errors) {
        return new IllegalArgumentException(
                errors.stream().map(each -> String.valueOf(each.getMessage())).collect(Collectors.joining("; ")),
                errors.getFirst());
    }
}
