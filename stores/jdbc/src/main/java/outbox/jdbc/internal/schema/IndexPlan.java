package outbox.jdbc.internal.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.QualifiedName;

/**
 * An index as it should be, or as it is. Both are brought to a form in which they can be compared: a database rewrites the
 * definition that it is given.
 *
 * @param table without its schema, in lower case
 * @param name in lower case
 * @param columns columns and expressions in their order, without blanks and parentheses
 * @param condition the names and numbers of a partial index's condition, in their order; empty for a whole one
 */
public record IndexPlan(String table, String name, List<String> columns, List<String> condition) {

    private static final Pattern CREATE_INDEX =
            Pattern.compile("CREATE INDEX (?:CONCURRENTLY )?IF NOT EXISTS (\\w+) ON (\\S+) (\\(.*)", Pattern.DOTALL);
    private static final Pattern CREATE_TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\S+) .*", Pattern.DOTALL);
    private static final Pattern KEY_OF_TABLE = Pattern.compile("(?m)^\\s*(?:UNIQUE )?KEY (\\w+) (\\(.*)$");
    private static final Pattern ADD_INDEX =
            Pattern.compile("ALTER TABLE (\\S+) ADD INDEX (?:IF NOT EXISTS )?(\\w+) (\\(.*)", Pattern.DOTALL);
    private static final Pattern DROP_COLUMN = Pattern.compile("ALTER TABLE (\\S+) DROP COLUMN (?:IF EXISTS )?(\\w+)");
    private static final Pattern WORD = Pattern.compile("[a-z_0-9]+");
    private static final Pattern CAST = Pattern.compile("::[a-z ]+");
    /** Keywords that one database writes and another leaves out. */
    private static final Set<String> GRAMMAR = Set.of("where", "in", "not", "any", "all", "array", "is", "null", "and");

    public static IndexPlan of(String table, String name, List<String> columns, String condition) {
        return new IndexPlan(
                lower(QualifiedName.of(table).name()),
                lower(name),
                columns.stream().map(IndexPlan::plain).toList(),
                words(condition));
    }

    /** All that the schema has, less those of partitions, of which there is one for their number. */
    public static List<IndexPlan> expected(Dialect dialect, TableNames tables, int partitions) {
        Map<String, IndexPlan> all = new LinkedHashMap<>();
        String ofPartitions = lower(tables.unqualified()) + "_p\\d+";
        for (Migration migration : Migration.ALL) {
            for (String statement : migration.statements(dialect.name(), tables)) {
                madeBy(statement).stream()
                        .filter(index -> !index.name().matches(ofPartitions))
                        .forEach(index -> all.put(index.name(), index));
                Matcher drop = DROP_COLUMN.matcher(statement);
                if (drop.matches()) {
                    all.values().removeIf(index -> index.columns().contains(drop.group(2)));
                }
            }
        }
        for (String statement : dialect.indexes(tables).create(partitions)) {
            madeBy(statement).forEach(index -> all.put(index.name(), index));
        }
        return List.copyOf(all.values());
    }

    private static List<IndexPlan> madeBy(String statement) {
        Matcher create = CREATE_INDEX.matcher(statement);
        if (create.matches()) {
            return List.of(read(create.group(2), create.group(1), create.group(3)));
        }
        Matcher add = ADD_INDEX.matcher(statement);
        if (add.matches()) {
            return List.of(read(add.group(1), add.group(2), add.group(3)));
        }
        Matcher table = CREATE_TABLE.matcher(statement);
        List<IndexPlan> keys = new ArrayList<>();
        if (table.matches()) {
            Matcher key = KEY_OF_TABLE.matcher(statement);
            while (key.find()) {
                keys.add(read(table.group(1), key.group(1), key.group(2)));
            }
        }
        return keys;
    }

    /** Of the columns in parentheses, and whatever follows. */
    private static IndexPlan read(String table, String name, String definition) {
        int depth = 0;
        int begin = 1;
        List<String> columns = new ArrayList<>();
        for (int at = 0; at < definition.length(); at++) {
            char c = definition.charAt(at);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            boolean ended = depth == 0;
            if (ended || (c == ',' && depth == 1)) {
                columns.add(definition.substring(begin, at));
                begin = at + 1;
            }
            if (ended) {
                break;
            }
        }
        String rest = definition.substring(begin).strip();
        return of(table, name, columns, rest.startsWith("WHERE") ? rest : "");
    }

    private static String plain(String column) {
        return lower(column).replaceAll("[\\s()\"`]", "");
    }

    private static List<String> words(String condition) {
        Matcher word = WORD.matcher(CAST.matcher(lower(condition)).replaceAll(""));
        return word.results()
                .map(found -> found.group())
                .filter(found -> !GRAMMAR.contains(found))
                .toList();
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** For people. */
    public String inWords() {
        return "(" + String.join(", ", columns) + ")"
                + (condition.isEmpty() ? "" : " where " + String.join(" ", condition));
    }
}
