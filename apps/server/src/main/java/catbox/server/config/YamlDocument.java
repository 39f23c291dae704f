package catbox.server.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * written: whoever asks for a setting says what it has to be.
 */
final class YamlDocument {

    private static final int DEPTH_MAX = 8;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    private final Map<String, Node> top = new LinkedHashMap<>();
    private final Placeholders placeholders;
    private final Complaints complaints;

    YamlDocument(String text, Placeholders placeholders, Complaints complaints) {
        this.placeholders = placeholders;
        this.complaints = complaints;
        Node root = compose(text);
        if (root instanceof MappingNode mapping) {
            entries(mapping).forEach((name, node) -> top.put(name, node));
        } else if (root != null) {
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

    /** A section with settings, without those lists in it that are read by themselves. */
    Section section(String name, Set<String> without) {
        return Optional.ofNullable(top.get(name))
                .map(node -> flat(name, name, node, without))
                .orElse(Section.empty(name));
    }

    /** The sections below a section, each with a name of its own. */
    Map<String, Section> named(String name, String owner) {
        Map<String, Section> sections = new LinkedHashMap<>();
        Node node = top.get(name);
        if (node instanceof MappingNode mapping) {
            entries(mapping).forEach((each, content) -> {
                if (NAME.matcher(each).matches()) {
                    sections.put(each, flat(owner + " " + each, each, content));
                } else {
                    complaints.add(
                            line(content),
                            "the name of a " + owner + " has letters, digits, - and _, at most 63, was \"" + each
                                    + "\"");
                }
            });
        } else if (node != null && !isNull(node)) {
            complaints.add(line(node), name + " must be a section with a name for each " + owner);
        }
        return sections;
    }

    /** The entries of a list, each with settings. */
    List<Section> list(String name, String owner) {
        return entriesOf(top.get(name), name, owner);
    }

    /** The entries of a list that is in a section, each with settings. */
    List<Section> list(String section, String name, String owner) {
        Node node = top.get(section) instanceof MappingNode mapping
                ? mapping.getValue().stream()
                        .filter(tuple -> tuple.getKeyNode() instanceof ScalarNode key
                                && key.getValue().equals(name))
                        .map(NodeTuple::getValueNode)
                        .findFirst()
                        .orElse(null)
                : null;
        return entriesOf(node, section + "." + name, owner);
    }

    private List<Section> entriesOf(@Nullable Node node, String name, String owner) {
        List<Section> sections = new ArrayList<>();
        if (node instanceof SequenceNode sequence) {
            for (Node entry : sequence.getValue()) {
                sections.add(flat(owner, owner, entry));
            }
        } else if (node != null && !isNull(node)) {
            complaints.add(line(node), name + " must be a list, each entry beginning with -");
        }
        return sections;
    }

    /** The line where a section begins; 0 when there is none of the name. */
    int lineOf(String name) {
        return Optional.ofNullable(top.get(name)).map(YamlDocument::line).orElse(0);
    }

    // ---- from nodes to settings ------------------------------------------------------------------------------------

    private Section flat(String owner, String name, Node node) {
        return flat(owner, name, node, Set.of());
    }

    private Section flat(String owner, String name, Node node, Set<String> without) {
        Section section = new Section(owner, name, line(node), new LinkedHashMap<>(), new LinkedHashMap<>());
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
        Integer before = section.lines().put(setting, line(node));
        if (before != null) {
            complaints.add(
                    line(node), section.owner() + ": setting " + setting + " is given twice, first in line " + before);
        }
        try {
            section.values().put(setting, text(node));
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
    private Map<String, Node> entries(MappingNode mapping) {
        Map<String, Node> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                complaints.add(line(tuple.getKeyNode()), "a name must be a plain word");
            } else if (entries.putIfAbsent(key.getValue(), tuple.getValueNode()) != null) {
                complaints.add(line(key), key.getValue() + " is given twice");
            }
        }
        return entries;
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private static int line(Node node) {
        return node.getStartMark() == null ? 0 : node.getStartMark().getLine() + 1;
    }
}
