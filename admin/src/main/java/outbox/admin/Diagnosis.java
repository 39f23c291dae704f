package outbox.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.FindingCode;

/** Collects findings: what the store finds about itself, what a running relay knows, and what events and nodes show. */
final class Diagnosis {

    private Diagnosis() {}

    /** The worst first. */
    static List<Finding> of(AdminStores stores, @Nullable RunningRelay live) {
        List<Finding> findings = new ArrayList<>(diagnosed(stores));
        boolean sound = findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
        if (live != null) {
            findings.addAll(live.findings());
        }
        if (findings.stream().noneMatch(Diagnosis::isUnreachable)) {
            findings.addAll(derived(stores, live, sound));
        }
        return findings.stream().sorted(Comparator.comparing(Finding::severity)).toList();
    }

    private static List<Finding> diagnosed(AdminStores stores) {
        try {
            return stores.diagnosis().findings();
        } catch (RuntimeException e) {
            return List.of(notReadable(e));
        }
    }

    private static Finding notReadable(RuntimeException e) {
        return Finding.error(
                FindingCode.NOT_READABLE,
                "The outbox cannot be read",
                Phrases.error(e.getMessage()),
                "Check that the database is up, and that its tables are of this version.");
    }

    // Every further query would wait for a connection, and fail in the same manner.
    private static boolean isUnreachable(Finding finding) {
        return finding.is(FindingCode.DATABASE_UNREACHABLE) || finding.is(FindingCode.CREDENTIALS_REFUSED);
    }

    private static List<Finding> derived(AdminStores stores, @Nullable RunningRelay live, boolean sound) {
        try {
            ClusterPicture picture = ClusterPicture.of(stores);
            List<Finding> findings = new ArrayList<>();
            new EventFindings(stores, picture, live, findings).find();
            new ClusterFindings(picture, stores.events(), findings).find();
            return findings;
        } catch (RuntimeException e) {
            // An error that the store has found is the better explanation.
            return sound ? List.of(notReadable(e)) : List.of();
        }
    }
}
