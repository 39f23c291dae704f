package catbox.devservices;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Additional settings of a server, which override the defaults here. */
record Settings(Map<String, String> values) {

    private static final Pattern NAME = Pattern.compile("[a-z][A-Za-z0-9_.-]*");

    Settings {
        values = Map.copyOf(values);
        values.keySet().forEach(name -> {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("Setting '" + name + "' does not match " + NAME);
            }
        });
    }

    /** Returns them as command line arguments, each with a prefix: {@code --name=value}. */
    List<String> arguments(String prefix) {
        return values.entrySet().stream()
                .map(setting -> prefix + setting.getKey() + "=" + setting.getValue())
                .sorted()
                .toList();
    }
}
