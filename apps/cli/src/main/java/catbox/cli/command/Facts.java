package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be said about one thing: names, and behind each what it is. What is null is not said. */
final class Facts {

    private record Fact(String name, String value, Screen.@Nullable Colour colour) {}

    private final List<Fact> facts = new ArrayList<>();

    Facts add(String name, @Nullable Object value) {
        return add(name, value, null);
    }

    Facts add(String name, @Nullable Object value, Screen.@Nullable Colour colour) {
        if (value != null) {
            facts.add(new Fact(name, Lines.single(value), colour));
        }
        return this;
    }

    void print(Screen screen) {
        int width = facts.stream().mapToInt(fact -> fact.name().length()).max().orElse(0);
        for (Fact fact : facts) {
            String name = fact.name() + " ".repeat(width - fact.name().length());
            Screen.Colour colour = fact.colour();
            screen.print(screen.paint(Screen.Colour.QUIET, name) + "  "
                    + (colour == null ? fact.value() : screen.paint(colour, fact.value())));
        }
    }
}
