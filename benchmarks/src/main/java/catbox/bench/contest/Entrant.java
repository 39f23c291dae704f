package catbox.bench.contest;

import static catbox.bench.contest.Entrant.Kind.IN_PROCESS;
import static catbox.bench.contest.Entrant.Kind.LIMIT;
import static catbox.bench.contest.Entrant.Kind.RELAY;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The contenders and the workloads that they take part in. The rate is an approximate measurement on two cores; it only
 * decides how much work a contender gets, so that a slow one does not take hours.
 */
enum Entrant {
    CATBOX(Program.OWN, RELAY, 50_000, "w1 w2 w3 w4 w5 w6"),
    CATBOX_DELETE(Program.OWN, RELAY, 70_000, "w1 w2 w4 w5"),
    CATBOX_TRANSACTIONAL(Program.OWN, RELAY, 40_000, "w1"),
    CATBOX_DISPATCHER(Program.OWN, IN_PROCESS, 5_000, "w2 w3 w4"),

    HAND_OVERLAPPING_UPDATE(Program.OWN, LIMIT, 80_000, "w1"),
    HAND_OVERLAPPING_DELETE(Program.OWN, LIMIT, 100_000, "w1"),
    HAND_WAITING_UPDATE(Program.OWN, LIMIT, 50_000, "w1"),
    HAND_WAITING_DELETE(Program.OWN, LIMIT, 60_000, "w1"),
    HAND_DATABASE_UPDATE(Program.OWN, LIMIT, 80_000, "w1"),
    HAND_DATABASE_DELETE(Program.OWN, LIMIT, 140_000, "w1"),
    HAND_KAFKA(Program.OWN, LIMIT, 190_000, "w1"),
    HAND_NOTIFY_UPDATE(Program.OWN, RELAY, 5_000, "w2 w3 w4 w5"),
    HAND_NOTIFY_DELETE(Program.OWN, RELAY, 5_000, "w2 w5"),
    DIRECT(Program.OWN, IN_PROCESS, 5_000, "w2"),
    RAW_INSERT(Program.OWN, LIMIT, 5_000, "w3"),

    TEXTBOOK(Program.OWN, RELAY, 50, "w1"),
    TEXTBOOK_EAGER(Program.OWN, RELAY, 2_000, "w1 w2 w4 w6"),
    GRUELBOX(Program.GRUELBOX, IN_PROCESS, 3_000, "w1 w2 w3 w4 w6"),
    NAMASTACK(Program.NAMASTACK, RELAY, 4_500, "w1 w2 w3 w4 w5 w6"),
    MODULITH(Program.MODULITH, IN_PROCESS, 900, "w1 w2 w3 w4"),
    DEBEZIUM(Program.DEBEZIUM, RELAY, 19_000, "w1 w2 w3 w4 w5"),
    DEBEZIUM_BULK(Program.DEBEZIUM, RELAY, 19_000, "w1");

    /** What sends the events: the publisher's process, a relay that only reads the table, or hand-written code. */
    enum Kind {
        IN_PROCESS,
        RELAY,
        LIMIT
    }

    private final Program program;
    private final Kind kind;
    private final int aboutPerSecond;
    private final String workloads;

    Entrant(Program program, Kind kind, int aboutPerSecond, String workloads) {
        this.program = program;
        this.kind = kind;
        this.aboutPerSecond = aboutPerSecond;
        this.workloads = workloads;
    }

    static List<Entrant> of(String workload) {
        return Arrays.stream(values())
                .filter(entrant -> List.of(entrant.workloads.split(" ", -1)).contains(workload))
                .toList();
    }

    /**
     * Returns the contender of this name.
     *
     * @throws IllegalArgumentException if there is none, with the names that exist
     */
    static Entrant named(String name) {
        return Arrays.stream(values())
                .filter(entrant -> entrant.label().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown contender \"" + name + "\"; allowed are "
                        + Arrays.stream(values()).map(Entrant::label).toList()));
    }

    /** Returns its name for reports and files, which is also its variant and its topic. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Program program() {
        return program;
    }

    Kind kind() {
        return kind;
    }

    int aboutPerSecond() {
        return aboutPerSecond;
    }
}
