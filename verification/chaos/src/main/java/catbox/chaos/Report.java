package catbox.chaos;

import catbox.chaos.Findings.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Formats a run and its findings for readers. */
record Report(ChaosRun.Plan plan, History history, Story story, Findings findings, List<Takeover> takeovers) {

    private static final int FAULTS_SHOWN = 20;

    /** The course of a run. */
    record Story(Map<Disturber.Act, Integer> acts, int relaysStarted, Duration took) {}

    static Report of(ChaosRun.Plan plan, History history, Story story) {
        return new Report(plan, history, story, Checker.check(history), Takeover.of(history));
    }

    boolean isGood() {
        return findings.isGood();
    }

    String toMarkdown() {
        StringBuilder text = new StringBuilder("## Chaos run with seed " + plan.seed() + "\n\n");
        row(text, "done", "times");
        row(text, "---", "---");
        for (Disturber.Act act : Disturber.Act.values()) {
            row(
                    text,
                    act.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    story.acts().getOrDefault(act, 0));
        }
        row(text, "relay processes started", story.relaysStarted());
        row(text, "writer processes", plan.writers());
        row(text, "seconds of writing, at least", plan.writing().toSeconds());
        row(text, "seconds in all", story.took().toSeconds());
        text.append('\n');
        findings(text);
        text.append('\n');
        takeovers(text);
        findings.lines(FAULTS_SHOWN).forEach(line -> text.append("\n- ").append(line));
        return text.append('\n').toString();
    }

    private void findings(StringBuilder text) {
        row(text, "found", "number");
        row(text, "---", "---");
        row(text, "events committed", history.committed().size());
        row(text, "events of transactions that rolled back", count(WriterLog.Fate.ROLLED_BACK));
        row(text, "events whose commit had no answer", count(WriterLog.Fate.UNKNOWN));
        row(text, "deliveries", history.arrivals().size());
        row(text, "deliveries refused", history.entriesOf(Entry.Refused.class).size());
        for (Fault fault : Fault.values()) {
            row(text, fault.text(), findings.of(fault).size());
        }
        row(text, "duplicates with a reason", findings.duplicatesWithReason());
        findings.duplicates().forEach((reason, number) -> row(text, "… " + describe(reason), number));
        row(text, "partitions lost", history.entriesOf(Entry.Lost.class).size());
        row(
                text,
                "settlements that were fenced",
                history.entriesOf(Entry.Fenced.class).size());
    }

    private static String describe(Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private long count(WriterLog.Fate fate) {
        return history.written().stream()
                .filter(written -> written.fate() == fate)
                .count();
    }

    private void takeovers(StringBuilder text) {
        row(text, "takeover", "partitions", "owned after s", "delivered after s");
        row(text, "---", "---", "---", "---");
        for (Takeover takeover : takeovers) {
            row(
                    text,
                    takeover.victim().node() + " " + takeover.what()
                            + (takeover.duringOutage() ? ", while the database was down" : ""),
                    takeover.victim().owned().size(),
                    seconds(takeover.acquired()),
                    seconds(takeover.delivered()));
        }
        if (takeovers.stream().anyMatch(takeover -> !takeover.duringOutage())) {
            row(text, "longest with a database", "", longest(Takeover::acquired), longest(Takeover::delivered));
        }
    }

    private String longest(ToLongFunction<Takeover> micros) {
        return seconds(takeovers.stream()
                .filter(takeover -> !takeover.duringOutage())
                .mapToLong(micros)
                .max()
                .orElse(0));
    }

    private static String seconds(long micros) {
        return String.format(Locale.ROOT, "%.2f", micros / 1e6);
    }

    private static void row(StringBuilder text, Object... cells) {
        text.append('|');
        for (Object cell : cells) {
            text.append(' ').append(cell).append(" |");
        }
        text.append('\n');
    }
}
