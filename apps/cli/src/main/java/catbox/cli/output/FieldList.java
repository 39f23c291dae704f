package catbox.cli.output;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of one thing, a line each. A property that is null is left out. */
public final class FieldList {

    private final Map<String, Object> fields = new LinkedHashMap<>();

    public FieldList add(String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
        return this;
    }

    public void print(Screen screen) {
        int width = fields.keySet().stream().mapToInt(String::length).max().orElse(0);
        fields.forEach((name, value) -> {
            String label = name + " ".repeat(width - name.length());
            screen.print(screen.paint(Screen.Colour.QUIET.of(label)) + "  " + screen.paint(value, Lines.single(value)));
        });
    }
}
