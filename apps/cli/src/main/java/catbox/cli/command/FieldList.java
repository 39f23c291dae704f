package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import catbox.cli.output.Screen.Painted;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of one thing, a line each. A property that is null is left out. */
final class FieldList {

    private final Map<String, Object> facts = new LinkedHashMap<>();

    FieldList add(String name, @Nullable Object value) {
        if (value != null) {
            facts.put(name, value);
        }
        return this;
    }

    void print(Screen screen) {
        int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
        facts.forEach((name, value) -> {
            String text = Lines.single(value);
            screen.print(screen.paint(Screen.Colour.QUIET, name + " ".repeat(width - name.length())) + "  "
                    + (value instanceof Painted painted ? screen.paint(painted.colour(), text) : text));
        });
    }
}
