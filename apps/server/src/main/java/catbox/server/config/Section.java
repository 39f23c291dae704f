package catbox.server.config;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.spi.Settings.WrongSettingException;

/**
 * A part of the file as settings. Nested names are joined by dots.
 *
 * @param owner as errors name it, such as "source orders"
 * @param line where it begins
 * @param errors of the file
 */
record Section(String owner, String name, int line, Map<String, Setting> settings, ConfigErrors errors) {

    /** What is written, and where. */
    record Setting(String value, int line) {}

    /** What is written for a setting; empty text when it is not given. */
    String value(String setting) {
        Setting given = settings.get(setting);
        return given == null ? "" : given.value();
    }

    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        settings.forEach((setting, given) -> values.put(setting, given.value()));
        return values;
    }

    /** This section with settings added that are not given here. */
    Section over(Section general) {
        Map<String, Setting> both = new LinkedHashMap<>(general.settings);
        both.putAll(settings);
        return new Section(owner, name, line, both, errors);
    }

    Section with(String setting, String value) {
        Map<String, Setting> changed = new LinkedHashMap<>(settings);
        changed.put(setting, new Setting(value, lineOf(setting)));
        return new Section(owner, name, line, changed, errors);
    }

    Section without(String setting) {
        Map<String, Setting> rest = new LinkedHashMap<>(settings);
        rest.remove(setting);
        return new Section(owner, name, line, rest, errors);
    }

    /** An entry of a list, which errors name by the setting that it is named with. */
    Section ownedByItsName() {
        return new Section((owner + " " + value("name")).strip(), name, line, settings, errors);
    }

    /**
     * Returns what the reader makes of this section; empty after an error. After an error it reads again without the
     * wrong setting, so that all errors are found at once.
     */
    <T> Optional<T> read(Function<Section, T> reader) {
        Set<String> wrong = new HashSet<>();
        Section left = this;
        while (true) {
            try {
                T result = reader.apply(left);
                return wrong.isEmpty() ? Optional.of(result) : Optional.empty();
            } catch (RuntimeException e) {
                String setting = wrongSetting(e);
                if (wrong.add(setting)) {
                    addError(setting, String.valueOf(e.getMessage()));
                }
                if (!left.settings.containsKey(setting)) {
                    return Optional.empty();
                }
                left = left.without(setting);
            }
        }
    }

    // A reader of several sections throws an exception of its own, and the one that names the setting is its cause.
    private static String wrongSetting(RuntimeException error) {
        for (@Nullable Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof WrongSettingException wrong) {
                return wrong.setting();
            }
        }
        return "";
    }

    /** Adds an error with the line of a setting, or of the section when the setting is not given. */
    void addError(String setting, String text) {
        errors.add(lineOf(setting), text);
    }

    private int lineOf(String setting) {
        Setting given = settings.get(setting);
        return given == null ? line : given.line();
    }
}
