package outbox.jdbc.internal.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import outbox.jdbc.TableNames;

/** One step of the schema: a file of statements for one database. */
public record Migration(int version, String title) {

    /** Every step, in order. A new one is added here and in each database's folder. */
    public static final List<Migration> ALL = List.of(
            new Migration(1, "outbox_event"),
            new Migration(2, "relay"),
            new Migration(3, "delivery"),
            new Migration(4, "operate"),
            new Migration(5, "heartbeat"),
            new Migration(6, "faults"),
            new Migration(7, "no_order"));

    public static final int LATEST = ALL.get(ALL.size() - 1).version();

    /** The file's text with the tables' names in it. */
    public String sql(String database, TableNames tables) {
        return read(database + "/V" + version + "__" + title + ".sql", tables);
    }

    public List<String> statements(String database, TableNames tables) {
        return statements(sql(database, tables));
    }

    /** The text of a file below the migrations, with the tables' names in it. */
    static String read(String file, TableNames tables) {
        try (InputStream in = Migration.class.getResourceAsStream("/outbox/jdbc/migrations/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the library has no " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${event}", tables.event())
                    .replace("${meta}", tables.meta())
                    .replace("${node}", tables.node())
                    .replace("${slot}", tables.slot())
                    .replace("${attempt}", tables.attempt())
                    .replace("${delivery}", tables.delivery())
                    .replace("${hold}", tables.hold())
                    .replace("${audit}", tables.audit())
                    .replace("${audit_event}", tables.auditEvent())
                    .replace("${original}", tables.original())
                    .replace("${name}", tables.unqualified());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A statement ends with a semicolon at the end of a line; comment lines are left out. */
    static List<String> statements(String sql) {
        String code = sql.replaceAll("(?m)^\\s*--.*\\R", "");
        return Arrays.stream(code.split(";\\s*(\\R|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
