package catbox.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SightingsTest {

    private final Sightings sightings = new Sightings(100, 10);

    @Test
    void keysMayOvertakeEachOther() {
        see("a", 103, "b", 101, "a", 105, "b", 102);

        assertThat(sightings.findings(0)).containsEntry("inversions", 0L);
        assertThat(sightings.different()).isEqualTo(4);
    }

    @Test
    void countsAnEventThatArrivesAfterALaterOneOfItsKey() {
        see("a", 103, "a", 101, "a", 102, "a", 104);

        assertThat(sightings.findings(0)).containsEntry("inversions", 2L);
        assertThat(sightings.findings(0)).containsEntry("duplicates", 0L);
    }

    @Test
    void aRepeatedEventIsADuplicateAndNoInversion() {
        see("a", 101, "a", 102, "a", 101);

        assertThat(sightings.findings(0)).containsEntry("duplicates", 1L);
        assertThat(sightings.findings(0)).containsEntry("inversions", 0L);
        assertThat(sightings.different()).isEqualTo(2);
    }

    @Test
    void eventsOfOtherRunsDoNotCount() {
        see("a", 99, "a", 110, "a", 100);

        assertThat(sightings.different()).isEqualTo(1);
        assertThat(sightings.findings(0)).containsEntry("duplicates", 0L);
        assertThat(sightings.findings(0)).containsEntry("inversions", 0L);
    }

    @Test
    void countsDuplicatesAfterTheLastDifferentEvent() {
        see("a", 100, "a", 101, "a", 101, "a", 100);

        assertThat(sightings.findings(2))
                .containsEntry("duplicates", 2L)
                .containsEntry("inversions", 0L)
                .containsEntry("missing", 0L);
    }

    @Test
    void onlySettledEventsCanBeMissing() {
        see("a", 100, "a", 101, "a", 102);

        assertThat(sightings.findings(5)).containsEntry("missing", 2L);
        assertThat(sightings.findings(2)).containsEntry("missing", 0L);
    }

    private void see(Object... keysAndNumbers) {
        for (int i = 0; i < keysAndNumbers.length; i += 2) {
            sightings.see((String) keysAndNumbers[i], (Integer) keysAndNumbers[i + 1]);
        }
    }
}
