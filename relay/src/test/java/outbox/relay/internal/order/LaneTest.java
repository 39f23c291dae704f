package outbox.relay.internal.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import outbox.relay.Rows;
import outbox.relay.route.Route;

class LaneTest {

    private static final Route ROUTE = Route.to("there");

    private final Lane lane = new Lane(7);

    @Test
    void keepsTheOrderOfInsertionHoweverEventsArrive() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            List<Long> seqs = new ArrayList<>(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
            Collections.shuffle(seqs, random);
            Lane shuffled = new Lane(1);

            seqs.forEach(seq -> shuffled.add(new LaneEvent(shuffled, List.of(ROUTE), Rows.row(seq, "k"))));

            assertThat(shuffled.waiting.stream().map(LaneEvent::seq)).isSorted().hasSize(8);
        }
    }

    @Test
    void isReadyOnlyWhenNothingStandsInItsWay() {
        assertThat(lane.isReady()).isFalse();
        add(1);
        assertThat(lane.isReady()).isTrue();

        lane.inFlight = 1;
        assertThat(lane.isReady()).isFalse();
        lane.inFlight = 0;
        lane.failures = 1;
        assertThat(lane.isReady()).isFalse();
        lane.failures = 0;
        lane.parked = true;
        assertThat(lane.isReady()).isFalse();
        lane.parked = false;
        lane.pausedBecause = "an operator";
        assertThat(lane.isReady()).isFalse();
    }

    @Test
    void isReadyWhileEarlierEventsWaitToBeSettled() {
        add(1);
        lane.unsettled = 3;

        assertThat(lane.isReady()).isTrue();
    }

    @Test
    void givesToACallOnlyWhatIsOfItsRouteAndNotBehindAnotherCall() {
        add(1);

        assertThat(lane.mayGiveTo(ROUTE, 0)).isTrue();
        assertThat(lane.mayGiveTo(Route.to("elsewhere"), 0)).isFalse();
        lane.inFlight = 1;
        assertThat(lane.mayGiveTo(ROUTE, 0)).isFalse();
        assertThat(lane.mayGiveTo(ROUTE, 1)).isTrue();
        lane.failures = 1;
        assertThat(lane.mayGiveTo(ROUTE, 1)).isFalse();
        lane.failures = 0;
        lane.parked = true;
        assertThat(lane.mayGiveTo(ROUTE, 1)).isFalse();
        lane.parked = false;
        lane.pausedBecause = "an operator";
        assertThat(lane.mayGiveTo(ROUTE, 1)).isFalse();
    }

    @Test
    void needsALookUpOnlyWhenNothingOfItIsInMemoryAndItMayGo() {
        assertThat(lane.needsFetch()).isFalse();
        lane.skipped = true;
        assertThat(lane.needsFetch()).isTrue();

        lane.unsettled = 1;
        assertThat(lane.needsFetch()).isFalse();
        lane.unsettled = 0;
        lane.inFlight = 1;
        assertThat(lane.needsFetch()).isFalse();
        lane.inFlight = 0;
        lane.failures = 1;
        assertThat(lane.needsFetch()).isFalse();
        lane.failures = 0;
        lane.parked = true;
        assertThat(lane.needsFetch()).isFalse();
        lane.parked = false;
        lane.pausedBecause = "an operator";
        assertThat(lane.needsFetch()).isFalse();
        lane.pausedBecause = null;
        add(1);
        assertThat(lane.needsFetch()).isFalse();
    }

    @Test
    void isForgottenOnlyWhenThereIsNothingToRemember() {
        assertThat(lane.isForgettable()).isTrue();
        lane.skipped = true;
        assertThat(lane.isForgettable()).isFalse();
        lane.skipped = false;
        lane.failures = 1;
        assertThat(lane.isForgettable()).isFalse();
        lane.failures = 0;
        lane.parked = true;
        assertThat(lane.isForgettable()).isFalse();
        lane.parked = false;
        lane.pausedBecause = "an operator";
        assertThat(lane.isForgettable()).isFalse();
        lane.pausedBecause = null;
        lane.unsettled = 1;
        assertThat(lane.isForgettable()).isFalse();
    }

    private void add(long seq) {
        lane.add(new LaneEvent(lane, List.of(ROUTE), Rows.row(seq, "k")));
    }
}
