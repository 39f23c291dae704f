package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** Compares this machine's clock with the database's. */
record ClockCheck(Dialect dialect, InstantSource clock, Duration skewMax) {

    // The second answer counts: a first statement may have to be prepared.
    List<Finding> findings(Connection conn) throws SQLException {
        ask(conn);
        Instant before = clock.instant();
        Instant there = ask(conn);
        Instant after = clock.instant();
        Instant here = before.plus(Duration.between(before, after).dividedBy(2));
        Duration skew = Duration.between(here, there);
        // The time on the network may all have been on one side.
        if (skew.abs().minus(Duration.between(before, after).dividedBy(2)).compareTo(skewMax) <= 0) {
            return List.of();
        }
        return List.of(Finding.warning(
                FindingCode.CLOCK_SKEW,
                "The clocks of this machine and of the database differ",
                "the database's is " + (skew.abs().toMillis() / 1000.0) + " s "
                        + (skew.isNegative() ? "behind" : "ahead of") + " this machine's",
                "Let both keep time by NTP. The outbox goes by the database's clock; what applications write as the time"
                        + " of an event, and the ids they make, go by theirs."));
    }

    private Instant ask(Connection conn) throws SQLException {
        return DiagnosisCheck.query(conn, "SELECT " + dialect.now(), dialect::instant)
                .getFirst();
    }
}
