package catbox.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.bench.contender.JsonLine;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ReportTest {

    private final Report report = new Report(lines("""
            {"workload":"machine","at":"then","cores":2,"load":0.44,"settings":"PostgreSQL"}
            {"workload":"contender","contender":"peer","kind":"RELAY","settings":"peer-1.0; 16 threads"}
            {"workload":"w1","case":"100k","contender":"peer","round":0,"events":100,"perSecond":10.0,"duplicates":0}
            {"workload":"w1","case":"100k","contender":"catbox","round":0,"events":100,"perSecond":90.0,"duplicates":0}
            {"workload":"w1","case":"100k","contender":"peer","round":1,"events":100,"perSecond":30.0,"duplicates":5}
            {"workload":"w1","case":"100k","contender":"catbox","round":1,"failure":"it broke"}
            {"workload":"w1","case":"100k","contender":"peer","round":2,"events":100,"perSecond":20.0,"duplicates":0}
            {"workload":"w1","case":"1m","contender":"slow","round":0,"events":80,"perSecond":8.0,"cut":1}
            {"workload":"w2","case":"200/s","contender":"peer","round":0,"perSecond":200.0,"p50":3.0,"p99":8.5}
            {"workload":"w2","case":"200/s","contender":"catbox","round":0,"perSecond":200.0,"p50":1.0,"p99":2.5}
            """));

    @Test
    void showsMediansAndTheMaximumOfFaults() {
        assertThat(row("peer", "W1"))
                .startsWith("| peer | relay | 3 | 100 | 20 |")
                .contains("| 5 |");
    }

    @Test
    void showsHowManyRoundsFailed() {
        assertThat(row("catbox", "W1")).startsWith("| catbox |  | 2, 1 failed | 100 | 90 |");
    }

    @Test
    void marksContendersStoppedAtTheTimeLimit() {
        assertThat(report.markdown()).contains("| slow |  | 1, stopped at the time limit | 80 | 8 |");
    }

    @Test
    void sortsTheBestFirstWhetherThatIsMoreOrLess() {
        assertThat(section("W1")).containsSubsequence("| catbox |", "| peer |");
        assertThat(section("W2")).containsSubsequence("| catbox |", "| peer |").contains("| 2.50 |", "| 8.50 |");
    }

    @Test
    void showsEachContendersSettings() {
        assertThat(report.markdown())
                .contains(
                        "2 cores; PostgreSQL",
                        "run in 1 part, at then; load of the minute before a trial at most 0.4",
                        "**peer**, relay: peer-1.0; 16 threads");
    }

    @Test
    void hasAChartForEveryReferencedCase() {
        assertThat(report.charts()).containsOnlyKeys("w1-100k.svg", "w1-1m.svg", "w2-200-s.svg");
        assertThat(report.markdown()).contains("](w1-100k.svg)", "](w2-200-s.svg)");
    }

    @Test
    void drawsBarsInProportion() {
        String svg = new BarChart(
                        "a < b", List.of(new BarChart.Bar("ours", 50, true), new BarChart.Bar("theirs", 25, false)))
                .svg();

        assertThat(svg)
                .contains("a &lt; b", "width=\"460.0\"", "width=\"230.0\"", ">50.00<", ">25.00<")
                .endsWith("</svg>\n");
    }

    @Test
    void comparesRatiosWithTheBaselineAndNotRates() {
        List<Map<String, Object>> before = drain(50, 100);
        List<Map<String, Object>> now = drain(900, 1_000);

        assertThat(new Baseline(now, before).comparison())
                .contains("now 0.90, baseline 0.50, × 1.80")
                .contains("latency p99 (less is better)       now unknown, baseline unknown");
    }

    private static List<Map<String, Object>> drain(int ours, int byHand) {
        return lines("""
                {"workload":"w1","case":"100k","contender":"catbox","round":0,"perSecond":%d.0}
                {"workload":"w1","case":"100k","contender":"hand-overlapping-update","round":0,"perSecond":%d.0}
                """.formatted(ours, byHand));
    }

    private String row(String contender, String workload) {
        return section(workload)
                .lines()
                .filter(line -> line.startsWith("| " + contender + " |"))
                .findFirst()
                .orElseThrow();
    }

    private String section(String workload) {
        return Stream.of(report.markdown().split("\n## ", -1))
                .filter(section -> section.startsWith(workload))
                .findFirst()
                .orElseThrow();
    }

    private static List<Map<String, Object>> lines(String text) {
        return text.lines().map(JsonLine::read).toList();
    }
}
