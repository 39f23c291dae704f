package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** The checks of a server that differ between databases. */
public sealed interface ServerChecks permits PostgresChecks, MySqlChecks, H2Checks {

    /** Whether nothing can be written here. */
    List<Finding> readOnly(Connection conn) throws SQLException;

    /** At the server, and at what others do there. */
    List<DiagnosisCheck> others();

    /** At the outbox's tables. */
    List<DiagnosisCheck> ofTables();

    /** What this user may not do, beyond what statements on the tables show. */
    List<String> missingRights(Connection conn) throws SQLException;

    static Finding readOnly(String evidence) {
        return Finding.error(
                FindingCode.DATABASE_READ_ONLY,
                "Nothing can be written to this database",
                evidence,
                "Connect to the primary: nothing can be claimed or settled here.");
    }

    static Finding notDurable(List<String> settings) {
        return Finding.warning(
                FindingCode.NOT_DURABLE,
                "The database may lose what was committed when it crashes",
                String.join(", ", settings),
                "Accept it knowingly, or set it back: an event that was committed could be gone, and one that was"
                        + " delivered could be delivered again.");
    }

    static List<Finding> connections(long used, long max, double share) {
        if (used < max * share) {
            return List.of();
        }
        return List.of(Finding.warning(
                FindingCode.CONNECTIONS_NEARLY_USED,
                "The database's connections are nearly all in use",
                used + " of " + max,
                "Close what is not needed, make pools smaller, or raise max_connections: once there is none left, relays"
                        + " and applications fail."));
    }

    /** Transactions of others, the oldest first; a few of them are named. */
    static Finding longOpen(List<String> words, Duration oldest, String advice) {
        int named = Math.min(3, words.size());
        int more = words.size() - named;
        return Finding.warning(
                FindingCode.LONG_TRANSACTION,
                "A transaction has been open for long",
                "the oldest for " + oldest.toSeconds() + " s: "
                        + String.join("; ", words.subList(0, named))
                        + (more > 0 ? "; and " + more + " more" : ""),
                advice);
    }

    static Finding leftPrepared(String evidence, String advice) {
        return Finding.warning(
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
