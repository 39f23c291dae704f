package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** The checks that differ between databases. */
public sealed interface ServerChecks permits PostgresChecks, MySqlChecks, H2Checks {

    /** Whether nothing can be written here. */
    List<Finding> readOnly(Connection conn) throws SQLException;

    /** Of the server, and of other transactions there. */
    List<DiagnosisCheck> others();

    /** Of the outbox's tables. */
    List<DiagnosisCheck> ofTables();

    /** Rights that this user lacks, beyond those that statements on the tables show. */
    List<String> missingRights(Connection conn) throws SQLException;

    static Finding readOnly(String evidence) {
        return Finding.error(
                FindingCode.DATABASE_READ_ONLY,
                "Nothing can be written to this database",
                evidence,
                "Connect to the primary: nothing can be claimed or settled here.");
    }

    static List<Finding> notDurable(List<String> settings) {
        return DiagnosisCheck.warning(
                FindingCode.NOT_DURABLE,
                "The database may lose what was committed when it crashes",
                settings,
                "Accept it knowingly, or set it back: an event that was committed could be gone, and one that was"
                        + " delivered could be delivered again.");
    }

    static List<Finding> connections(long used, long max, double share) {
        return DiagnosisCheck.warning(
                FindingCode.CONNECTIONS_NEARLY_USED,
                "The database's connections are nearly all in use",
                used < max * share ? List.of() : List.of(used + " of " + max),
                "Close what is not needed, make pools smaller, or raise max_connections: once there is none left, relays"
                        + " and applications fail.");
    }

    /** A transaction of another program. */
    record OpenTransaction(String description, Duration age) {}

    /** Open transactions, the oldest first; a few of them are named. */
    static List<Finding> longOpen(List<OpenTransaction> open, String advice) {
        if (open.isEmpty()) {
            return List.of();
        }
        int named = Math.min(3, open.size());
        int more = open.size() - named;
        String names =
                open.stream().limit(named).map(OpenTransaction::description).collect(Collectors.joining("; "));
        return List.of(Finding.warning(
                FindingCode.LONG_TRANSACTION,
                "A transaction has been open for long",
                "the oldest for " + open.getFirst().age().toSeconds() + " s: " + names
                        + (more > 0 ? "; and " + more + " more" : ""),
                advice));
    }

    static List<Finding> leftPrepared(List<String> evidence, String advice) {
        return DiagnosisCheck.warning(
                FindingCode.PREPARED_TRANSACTION,
                "A prepared transaction was left behind",
                evidence,
                advice + " It keeps its locks, and everything that died since, until then.");
    }

    /** The first words of a statement, up to the first character that belongs to no name: no value is among them. */
    static String begin(@Nullable String statement) {
        Matcher words = FIRST_WORDS.matcher(statement == null ? "" : statement);
        return words.lookingAt() ? words.group().strip().replaceAll("\\s+", " ") : "unknown";
    }

    Pattern FIRST_WORDS = Pattern.compile("\\s*[A-Za-z_][A-Za-z_.]*(\\s+[A-Za-z_][A-Za-z_.]*\\b(?!['\"$])){0,3}");
}
