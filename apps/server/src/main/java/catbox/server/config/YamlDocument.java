package catbox.server.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import outbox.spi.Settings;

/**
 * A YAML file as sections. Every value stays the text that was written, because its reader knows what it has to be.
 * Spring Boot's YamlPropertySourceLoader decides too early: it makes false of {@code off}, 83 of a password
 * {@code 0123} and 750 of the time {@code 12:30}. Of two settings {@code a.b} and {@code a: {b: ...}} it keeps the last
 * without an error.
 */
final class YamlDocument {

    private static final int DEPTH_MAX = 8;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?}");

    private final UnaryOperator<@Nullable String> environment;
    private final ConfigErrors errors;
    private final Map<String, Node> top;

    YamlDocument(String text, UnaryOperator<@Nullable String> environment, ConfigErrors errors) {
        this.environment = environment;
        this.errors = errors;
        this.top = mapping(compose(text), "the file must consist of sections such as sources: and destinations:");
    }

    private @Nullable Node compose(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(20);
        try {
            return new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            errors.add(line, "this is not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            errors.add(0, "this is not YAML: " + e.getMessage());
        }
        return null;
    }

    /** Adds an error with the line where a section begins, if the file has that section. */
    void addError(String section, String text) {
        errors.add(line(top.get(section)), text);
    }

    /** Adds an error for each top-level section that is not one of these. */
    void requireSections(Collection<String> allowed) {
        top.forEach((name, node) -> {
            if (!allowed.contains(name)) {
                errors.add(line(node), "unknown section " + name + "; there are " + new TreeSet<>(allowed));
            }
        });
    }

    /** A section with settings; empty when the file has none of the name. */
    Section section(String name) {
        return section(name, Set.of());
    }

    /** A section with settings, without the lists in it that are read separately. */
    Section section(String name, Set<String> lists) {
        return section(name, name, top.get(name), lists);
    }

    /** The sections below a section, each with a name of its own. */
    Map<String, Section> named(String name, String owner) {
        Map<String, Section> sections = new LinkedHashMap<>();
        mapping(top.get(name), name + " must be a section with a name for each " + owner)
                .forEach((each, node) -> {
                    if (NAME.matcher(each).matches()) {
                        sections.put(each, section(owner + " " + each, each, node, Set.of()));
                    } else {
                        errors.add(
                                line(node),
                                "the name of a " + owner + " has letters, digits, - and _, at most 63, was \"" + each
                                        + "\"");
                    }
                });
        return sections;
    }

    /** The entries of a list, each with settings; {@code access.users} is the list users in the section access. */
    List<Section> list(String path, String owner) {
        int dot = path.indexOf('.');
        Node node = dot < 0
                ? top.get(path)
                : entries(top.get(path.substring(0, dot))).get(path.substring(dot + 1));
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue().stream()
                    .map(entry -> section(owner, owner, entry, Set.of()).ownedByItsName())
                    .toList();
        }
        requireEmpty(node, path + " must be a list, each entry beginning with -");
        return List.of();
    }

    /** The settings of a section, for readers. */
    Settings settings(Section section) {
        return new Settings(section.owner(), section.name(), section.values(), environment);
    }

    // ---- from nodes to settings ------------------------------------------------------------------------------------

    private Section section(String owner, String name, @Nullable Node node, Set<String> lists) {
        Section section = new Section(owner, name, line(node), new LinkedHashMap<>(), errors);
        Map<String, Node> entries = mapping(node, owner + " must be a section with settings, such as name: value");
        entries.keySet().removeAll(lists);
        entries.forEach((key, value) -> add(section, key, value, 1));
        return section;
    }

    private void add(Section section, String setting, Node node, int depth) {
        if (node instanceof MappingNode mapping && depth <= DEPTH_MAX) {
            entries(mapping).forEach((key, value) -> add(section, setting + "." + key, value, depth + 1));
            return;
        }
        Section.Setting before = section.settings().get(setting);
        if (before != null) {
            errors.add(
                    line(node),
                    section.owner() + ": setting " + setting + " is given twice, first in line " + before.line());
        }
        try {
            section.settings().put(setting, new Section.Setting(text(node), line(node)));
        } catch (IllegalArgumentException e) {
            errors.add(line(node), section.owner() + ": setting " + setting + " " + e.getMessage());
        }
    }

    private String text(Node node) {
        return switch (node) {
            case ScalarNode scalar -> isEmpty(scalar) ? "" : filled(scalar.getValue());
            case SequenceNode sequence -> {
                List<String> items = new ArrayList<>();
                for (Node item : sequence.getValue()) {
                    if (!(item instanceof ScalarNode scalar)
                            || scalar.getValue().contains(",")) {
                        throw new IllegalArgumentException("must be a list of plain words without commas");
                    }
                    items.add(filled(scalar.getValue()));
                }
                yield String.join(",", items);
            }
            default -> throw new IllegalArgumentException("is nested too deep");
        };
    }

    /** Replaces {@code ${NAME}} and {@code ${NAME:default}} by what the environment has. */
    private String filled(String text) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> {
            String variable = found.group(1);
            String value = environment.apply(variable);
            String otherwise = value == null ? found.group(2) : value;
            if (otherwise == null) {
                throw new IllegalArgumentException("refers to the environment variable " + variable
                        + ", which is not set; ${" + variable + ":DEFAULT} gives a default");
            }
            return Matcher.quoteReplacement(otherwise);
        });
    }

    /** The entries of a node that has to be a mapping; none, with an error, when it is something else. */
    private Map<String, Node> mapping(@Nullable Node node, String otherwise) {
        if (!(node instanceof MappingNode)) {
            requireEmpty(node, otherwise);
        }
        return entries(node);
    }

    // SnakeYAML refuses a name that is given twice only when it makes objects of the nodes.
    private Map<String, Node> entries(@Nullable Node node) {
        Map<String, Node> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : node instanceof MappingNode mapping ? mapping.getValue() : List.<NodeTuple>of()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                errors.add(line(tuple.getKeyNode()), "a name must be a plain word");
            } else if (entries.putIfAbsent(key.getValue(), tuple.getValueNode()) != null) {
                errors.add(line(key), key.getValue() + " is given twice");
            }
        }
        return entries;
    }

    private void requireEmpty(@Nullable Node node, String otherwise) {
        if (node != null && !isEmpty(node)) {
            errors.add(line(node), otherwise);
        }
    }

    private static boolean isEmpty(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private static int line(@Nullable Node node) {
        return node == null ? 0 : node.getStartMark().getLine() + 1;
    }
}
