package catbox.server.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

/**
 * A YAML file as sections. Only its tree is read, no object is ever made of it, and every value stays the text that was
 * written: whoever asks for a setting says what it has to be. Spring Boot's YamlPropertySourceLoader makes false of
 * {@code off} and 83 of a password {@code 0123}, and of a setting that is given as {@code a.b} and below {@code a} it
 * silently keeps the last.
 */
final class YamlDocument {

    private static final int DEPTH_MAX = 8;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    private final Map<String, Node> top;
    private final Placeholders placeholders;
    private final ConfigErrors complaints;

    YamlDocument(String text, Placeholders placeholders, ConfigErrors complaints) {
        this.placeholders = placeholders;
        this.complaints = complaints;
        Node root = compose(text);
        this.top = entries(root);
        if (root != null && !(root instanceof MappingNode)) {
            complaints.add(line(root), "the file must consist of sections such as sources: and destinations:");
        }
    }

    private @Nullable Node compose(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(20);
        try {
            return new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            complaints.add(line, "this is not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            complaints.add(0, "this is not YAML: " + e.getMessage());
        }
        return null;
    }

    /** Complains about top-level sections other than these. */
    void requireSections(Collection<String> allowed) {
        top.forEach((name, node) -> {
            if (!allowed.contains(name)) {
                complaints.add(line(node), "unknown section " + name + "; there are " + new TreeSet<>(allowed));
            }
        });
    }

    /** A section with settings; empty when there is none of the name. */
    Section section(String name) {
        return section(name, Set.of());
    }

    /** A section with settings, without those lists in it that are read separately. */
    Section section(String name, Set<String> without) {
        return flat(name, name, top.get(name), without);
    }

    /** The sections below a section, each with a name of its own. */
    Map<String, Section> named(String name, String owner) {
        Map<String, Section> sections = new LinkedHashMap<>();
        Node node = top.get(name);
        entries(node).forEach((each, content) -> {
            if (NAME.matcher(each).matches()) {
                sections.put(each, flat(owner + " " + each, each, content, Set.of()));
            } else {
                complaints.add(
                        line(content),
                        "the name of a " + owner + " has letters, digits, - and _, at most 63, was \"" + each + "\"");
            }
        });
        if (!(node instanceof MappingNode) && !isNull(node)) {
            complaints.add(line(node), name + " must be a section with a name for each " + owner);
        }
        return sections;
    }

    /** The entries of a list, each with settings; {@code access.users} is the list users in the section access. */
    List<Section> list(String path, String owner) {
        String[] names = path.split("\\.", 2);
        Node node = top.get(names[0]);
        if (names.length > 1) {
            node = entries(node).get(names[1]);
        }
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue().stream()
                    .map(entry -> flat(owner, owner, entry, Set.of()))
                    .toList();
        }
        if (!isNull(node)) {
            complaints.add(line(node), path + " must be a list, each entry beginning with -");
        }
        return List.of();
    }

    /** The line where a section begins; 0 when there is none of the name. */
    int lineOf(String name) {
        return line(top.get(name));
    }

    // ---- from nodes to settings ------------------------------------------------------------------------------------

    private Section flat(String owner, String name, @Nullable Node node, Set<String> without) {
        Section section = new Section(owner, name, line(node), new LinkedHashMap<>(), complaints);
        if (node instanceof MappingNode mapping) {
            add(section, "", mapping, without);
        } else if (!isNull(node)) {
            complaints.add(line(node), owner + " must be a section with settings, such as name: value");
        }
        return section;
    }

    private void add(Section section, String prefix, MappingNode mapping, Set<String> without) {
        entries(mapping).forEach((key, node) -> {
            String setting = prefix + key;
            if (without.contains(setting)) {
                return;
            }
            if (node instanceof MappingNode nested
                    && prefix.chars().filter(c -> c == '.').count() < DEPTH_MAX) {
                add(section, setting + ".", nested, without);
            } else {
                put(section, setting, node);
            }
        });
    }

    private void put(Section section, String setting, Node node) {
        Section.Setting before = section.settings().get(setting);
        if (before != null) {
            complaints.add(
                    line(node),
                    section.owner() + ": setting " + setting + " is given twice, first in line " + before.line());
        }
        try {
            section.settings().put(setting, new Section.Setting(text(node), line(node)));
        } catch (IllegalArgumentException e) {
            complaints.add(line(node), section.owner() + ": setting " + setting + " " + e.getMessage());
        }
    }

    private String text(Node node) {
        if (isNull(node)) {
            return "";
        }
        if (node instanceof ScalarNode scalar) {
            return placeholders.fill(scalar.getValue());
        }
        if (node instanceof SequenceNode sequence) {
            List<String> items = new ArrayList<>();
            for (Node item : sequence.getValue()) {
                if (!(item instanceof ScalarNode scalar) || scalar.getValue().contains(",")) {
                    throw new IllegalArgumentException("must be a list of plain words without commas");
                }
                items.add(placeholders.fill(scalar.getValue()));
            }
            return String.join(",", items);
        }
        throw new IllegalArgumentException("is nested too deep");
    }

    // The constructor would refuse what is given twice, but nothing is constructed here.
    private Map<String, Node> entries(@Nullable Node node) {
        Map<String, Node> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : node instanceof MappingNode mapping ? mapping.getValue() : List.<NodeTuple>of()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                complaints.add(line(tuple.getKeyNode()), "a name must be a plain word");
            } else if (entries.putIfAbsent(key.getValue(), tuple.getValueNode()) != null) {
                complaints.add(line(key), key.getValue() + " is given twice");
            }
        }
        return entries;
    }

    private static boolean isNull(@Nullable Node node) {
        return node == null || node.getTag().equals(Tag.NULL);
    }

    private static int line(@Nullable Node node) {
        return node == null || node.getStartMark() == null
                ? 0
                : node.getStartMark().getLine() + 1;
    }
}
