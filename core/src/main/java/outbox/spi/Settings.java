package outbox.spi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Named settings as text, read with types. Every error names the owner, the setting and what is allowed; it contains
 * the value unless that was read as a secret. The reader of the last setting calls {@link #requireAllKnown()}, so that
 * a misspelt setting is an error and not a default.
 */
public final class Settings {

    private static final Pattern SIMPLE_DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

    private final String owner;
    private final String name;
    private final Map<String, String> values;
    private final UnaryOperator<@Nullable String> environment;
    private final Set<String> known = new TreeSet<>();
    private final Set<String> knownGroups = new TreeSet<>();

    /**
     * Settings of an owner.
     *
     * @param owner as errors name it, such as "destination orders"
     * @param name the owner's short name
     */
    public Settings(String owner, String name, Map<String, String> values) {
        this(owner, name, values, System::getenv);
    }

    /** Settings with another environment for secrets to refer to. */
    public Settings(
            String owner, String name, Map<String, String> values, UnaryOperator<@Nullable String> environment) {
        this.owner = owner;
        this.name = name;
        this.values = new LinkedHashMap<>(values);
        this.environment = environment;
    }

    /** Reports an error in one setting. */
    public static final class WrongSettingException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        private final String setting;

        /**
         * An error whose message the caller provides.
         *
         * @param message for people; it names the owner and the setting too
         */
        public WrongSettingException(String setting, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.setting = setting;
        }

        /** The setting to blame, such as {@code retention.chunk}. */
        public String setting() {
            return setting;
        }
    }

    /** The owner's short name. */
    public String name() {
        return name;
    }

    // ---- values --------------------------------------------------------------------------------------------------

    public Optional<String> text(String setting) {
        known.add(setting);
        String value = values.get(setting);
        return value == null || value.isBlank() ? Optional.empty() : Optional.of(value.strip());
    }

    public String required(String setting) {
        return text(setting).orElseThrow(() -> wrong(setting, "is missing"));
    }

    public int number(String setting, int otherwise, int min, int max) {
        return text(setting)
                .map(value -> parsedNumber(setting, value, min, max))
                .orElse(otherwise);
    }

    private int parsedNumber(String setting, String value, int min, int max) {
        try {
            int number = Integer.parseInt(value.replace("_", ""));
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is out of range.
        }
        throw wrong(setting, "must be a whole number from " + min + " to " + max + ", was \"" + value + "\"");
    }

    public boolean flag(String setting, boolean otherwise) {
        return text(setting)
                .map(value -> switch (value.toLowerCase(Locale.ROOT)) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw wrong(setting, "must be true or false, was \"" + value + "\"");
                })
                .orElse(otherwise);
    }

    /** Such as {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 7d} or {@code PT10S}; more than zero. */
    public Duration duration(String setting, Duration otherwise) {
        return text(setting).map(value -> parsedDuration(setting, value)).orElse(otherwise);
    }

    /** As {@link #duration}, but {@code 0} is allowed as well. */
    public Duration durationOrZero(String setting, Duration otherwise) {
        return text(setting).filter("0"::equals).isPresent() ? Duration.ZERO : duration(setting, otherwise);
    }

    private Duration parsedDuration(String setting, String value) {
        Matcher simple = SIMPLE_DURATION.matcher(value);
        Duration duration = Duration.ZERO;
        if (simple.matches()) {
            long amount = Long.parseLong(simple.group(1));
            duration = switch (simple.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                case "h" -> Duration.ofHours(amount);
                default -> Duration.ofDays(amount);
            };
        } else {
            try {
                duration = Duration.parse(value);
            } catch (DateTimeParseException e) {
                // Reported below.
            }
        }
        if (duration.isNegative() || duration.isZero()) {
            throw wrong(
                    setting, "must be a time such as 500ms, 10s, 5m, 1h or PT10S, and not zero, was \"" + value + "\"");
        }
        return duration;
    }

    /** One of the constants; case and the choice between {@code -} and {@code _} do not matter. */
    public <E extends Enum<E>> E oneOf(String setting, Class<E> constants, E otherwise) {
        return text(setting).map(value -> parsedName(setting, constants, value)).orElse(otherwise);
    }

    private <E extends Enum<E>> E parsedName(String setting, Class<E> constants, String value) {
        for (E constant : constants.getEnumConstants()) {
            if (settingName(constant).equals(value.toLowerCase(Locale.ROOT).replace('_', '-'))) {
                return constant;
            }
        }
        List<String> allowed = Arrays.stream(constants.getEnumConstants())
                .map(Settings::settingName)
                .toList();
        throw wrong(setting, "must be one of " + allowed + ", was \"" + value + "\"");
    }

    private static String settingName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A list, separated by commas. */
    public List<String> list(String setting) {
        return text(setting)
                .map(value -> Arrays.stream(value.split(","))
                        .map(String::strip)
                        .filter(part -> !part.isEmpty())
                        .toList())
                .orElse(List.of());
    }

    /** The text as the parser reads it. An error of the parser is passed on with the setting's name. */
    public <T> Optional<T> parsed(String setting, Function<String, T> parser) {
        return text(setting).map(value -> {
            try {
                return parser.apply(value);
            } catch (IllegalArgumentException e) {
                throw wrong(setting, String.valueOf(e.getMessage()));
            }
        });
    }

    /**
     * Everything below a name: {@code property.acks} is {@code acks} of the group {@code property}. A value may refer
     * to a variable or a file, as a secret may.
     */
    public Map<String, String> group(String group) {
        knownGroups.add(group + ".");
        Map<String, String> members = new LinkedHashMap<>();
        values.forEach((setting, value) -> {
            if (setting.startsWith(group + ".")) {
                members.put(setting.substring(group.length() + 1), resolved(setting, value));
            }
        });
        return members;
    }

    // ---- secrets -------------------------------------------------------------------------------------------------

    /** A secret: the text itself, or a reference such as {@code env:NAME} or {@code file:PATH}. */
    public Optional<Secret> secret(String setting) {
        return text(setting).map(value -> new Secret(resolved(setting, value)));
    }

    /** The text that {@code env:NAME} or {@code file:PATH} refers to, or the text itself. */
    private String resolved(String setting, String value) {
        String found = value;
        if (value.startsWith("env:")) {
            String variable = value.substring(4);
            found = environment.apply(variable);
            if (found == null || found.isEmpty()) {
                throw wrong(setting, "refers to the environment variable " + variable + ", which is not set");
            }
        } else if (value.startsWith("file:")) {
            found = contentOf(setting, value.substring(5));
        }
        return found;
    }

    private String contentOf(String setting, String file) {
        try {
            String content = Files.readString(Path.of(file)).strip();
            if (content.isEmpty()) {
                throw wrong(setting, "refers to the file " + file + ", which is empty");
            }
            return content;
        } catch (IOException | InvalidPathException e) {
            throw wrong(setting, "refers to the file " + file + ", which cannot be read: " + e);
        }
    }

    // ---- errors --------------------------------------------------------------------------------------------------

    /** An error in one setting, to be thrown. */
    public IllegalArgumentException wrong(String setting, String error) {
        return new WrongSettingException(setting, owner + ": setting " + setting + " " + error, null);
    }

    /** The value that is created from these settings. An error without the owner's name is passed on with it. */
    public <T> T checked(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            String error = String.valueOf(e.getMessage());
            throw error.startsWith(owner) ? e : new IllegalArgumentException(owner + ": " + error, e);
        }
    }

    /**
     * Refuses settings that are written with a former name.
     *
     * @param newNames by former name
     * @throws IllegalArgumentException naming one of them and its new name
     */
    public void refuseFormerNames(Map<String, String> newNames) {
        newNames.forEach((former, name) -> {
            if (values.containsKey(former)) {
                throw wrong(former, "has been renamed; set " + name + " instead");
            }
        });
    }

    /**
     * Refuses settings that were not read.
     *
     * @throws IllegalArgumentException that names them and the known ones
     */
    public void requireAllKnown() {
        List<String> unknown = values.keySet().stream()
                .filter(setting ->
                        !known.contains(setting) && knownGroups.stream().noneMatch(setting::startsWith))
                .toList();
        if (!unknown.isEmpty()) {
            Set<String> allowed = new TreeSet<>(known);
            knownGroups.forEach(group -> allowed.add(group + "*"));
            throw new WrongSettingException(
                    unknown.getFirst(), owner + ": unknown settings " + unknown + "; there are " + allowed, null);
        }
    }
}
