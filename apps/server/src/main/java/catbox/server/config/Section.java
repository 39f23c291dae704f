package catbox.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of the file as settings, nested names joined by dots.
 *
 * @param owner as complaints name it, such as "source orders"
 * @param line where it begins
 * @param lines of the settings
 */
record Section(String owner, String name, int line, Map<String, String> values, Map<String, Integer> lines) {

    private static final Pattern SETTING = Pattern.compile("(?:setting|unknown settings) \\[?([^\\s,\\]]+)");

    static Section empty(String name) {
        return new Section(name, name, 0, Map.of(), Map.of());
    }

    /** With settings added that are not given here. */
    Section over(Section general) {
        Map<String, String> both = new LinkedHashMap<>(general.values());
        both.putAll(values);
        Map<String, Integer> bothLines = new LinkedHashMap<>(general.lines());
        bothLines.putAll(lines);
        return new Section(owner, name, line, both, bothLines);
    }

    Section with(String setting, String value) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.put(setting, value);
        return new Section(owner, name, line, changed, lines);
    }

    Section ownedBy(String newOwner) {
        return new Section(newOwner, name, line, values, lines);
    }

    Section without(String setting) {
        Map<String, String> changed = new LinkedHashMap<>(values);
        changed.remove(setting);
        return new Section(owner, name, line, changed, lines);
    }

    /** The setting that a complaint names first; empty when it names none. */
    static String settingIn(String complaint) {
        Matcher matcher = SETTING.matcher(complaint);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** The line that a complaint about this section is to point to. */
    int lineOf(String complaint) {
        return lines.getOrDefault(settingIn(complaint), line);
    }
}
