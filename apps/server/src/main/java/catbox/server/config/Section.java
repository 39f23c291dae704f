package catbox.server.config;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.spi.Settings.WrongSettingException;

/**
 * A part of the file as settings, nested names joined by dots.
 *
 * @param owner as complaints name it, such as "source orders"
 * @param line where it begins
 * @param complaints that one about this section is added to
 */
record Section(String owner, String name, int line, Map<String, Setting> settings, ConfigErrors complaints) {

    /** What is written, and where. */
    record Setting(String value, int line) {}

    /** What is written for a setting; empty text when it is not given. */
    String value(String setting) {
        Setting given = settings.get(setting);
        return given == null ? "" : given.value();
    }

    Map<String, String> values() {
        return settings.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().value(), (one, other) -> one, LinkedHashMap::new));
    }

    /** With settings added that are not given here. */
    Section over(Section general) {
        Map<String, Setting> both = new LinkedHashMap<>(general.settings);
        both.putAll(settings);
        return with(both);
    }

    Section with(String setting, String value) {
        Map<String, Setting> changed = new LinkedHashMap<>(settings);
        changed.put(setting, new Setting(value, lineOf(setting)));
        return with(changed);
    }

    Section without(String setting) {
        Map<String, Setting> changed = new LinkedHashMap<>(settings);
        changed.remove(setting);
        return with(changed);
    }

    private Section with(Map<String, Setting> changed) {
        return new Section(owner, name, line, changed, complaints);
    }

    Section ownedBy(String newOwner) {
        return new Section(newOwner, name, line, settings, complaints);
    }

    /**
     * What is made of this section. After a complaint it is read again without the setting that is to blame, so that the
     * others are heard too.
     */
    <T> Optional<T> read(Function<Section, T> reader) {
        Set<String> blamed = new HashSet<>();
        Section left = this;
        while (true) {
            try {
                T made = reader.apply(left);
                return blamed.isEmpty() ? Optional.of(made) : Optional.empty();
            } catch (RuntimeException e) {
                String setting = settingToBlame(e);
                if (blamed.add(setting)) {
                    complain(setting, String.valueOf(e.getMessage()));
                }
                if (!left.settings.containsKey(setting)) {
                    return Optional.empty();
                }
                left = left.without(setting);
            }
        }
    }

    // Whoever reads several sections at once passes the complaint about one on as a cause.
    private static String settingToBlame(RuntimeException complaint) {
        for (@Nullable Throwable each = complaint; each != null; each = each.getCause()) {
            if (each instanceof WrongSettingException wrong) {
                return wrong.setting();
            }
        }
        return "";
    }

    /** Complains about a setting, or about the whole section when it is not given. */
    void complain(String setting, String complaint) {
        complaints.add(lineOf(setting), complaint);
    }

    private int lineOf(String setting) {
        Setting given = settings.get(setting);
        return given == null ? line : given.line();
    }
}
