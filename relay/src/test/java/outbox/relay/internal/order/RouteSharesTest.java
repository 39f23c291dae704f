package outbox.relay.internal.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.relay.Rows;
import outbox.relay.route.Route;
import outbox.spi.relay.FetchedEvent;

/** How routes share deliveries and memory. */
class RouteSharesTest extends LanesFixture {

    private static final Route LIGHT = new Route("light", "d", 1);
    private static final Route HEAVY = new Route("heavy", "d", 3);

    @Test
    void givesTurnsByWeight() {
        RouteShares shares = new RouteShares(1_000, List.of(LIGHT, HEAVY));
        shares.ready(LIGHT).add(new Lane(1));
        shares.ready(HEAVY).add(new Lane(2));
        int light = 0;

        for (int pick = 0; pick < 400; pick++) {
            Route next = shares.readyRoutes().get(0);
            shares.charge(next, 1);
            light += next.equals(LIGHT) ? 1 : 0;
        }

        assertThat(light).isBetween(99, 101);
    }

    @Test
    void asksOnlyRoutesThatHaveSomethingReady() {
        RouteShares shares = new RouteShares(1_000, List.of(LIGHT, HEAVY));
        assertThat(shares.readyRoutes()).isEmpty();
        shares.ready(HEAVY).add(new Lane(2));

        assertThat(shares.readyRoutes()).containsExactly(HEAVY);
    }

    @Test
    void givesNoEndlessCreditToARouteThatWasSilent() {
        RouteShares shares = new RouteShares(100, List.of(LIGHT, HEAVY));
        shares.charge(LIGHT, 1_000_000);
        shares.ready(LIGHT).add(new Lane(1));
        shares.ready(HEAVY).add(new Lane(2));
        int picks = 0;

        while (shares.readyRoutes().get(0).equals(HEAVY)) {
            shares.charge(HEAVY, 1);
            picks++;
        }

        assertThat(picks).isBetween(90, 110);
    }

    @Test
    void letsAFloodOfOneRouteStarveNobody() {
        for (int seq = 1; seq <= 90; seq++) {
            scan(row(seq, "flood-" + seq));
        }
        List<Route> picks = new ArrayList<>();
        Lanes.CallLimit one = new Lanes.CallLimit(1, 1, 1, 1 << 20);
        for (int pick = 0; pick < 10; pick++) {
            Route next = lanes.readyRoutes().get(0);
            doneAll(lanes.take(next, one));
        }
        for (int seq = 91; seq <= 95; seq++) {
            scan(other(seq, "rare-" + seq));
        }
        for (int pick = 0; pick < 10; pick++) {
            Route next = lanes.readyRoutes().get(0);
            picks.add(next);
            doneAll(lanes.take(next, one));
        }

        assertThat(picks).filteredOn(OTHER::equals).hasSize(5);
    }

    @Test
    void letsARouteHaveAllOfTheMemoryWhileNobodyElseWaits() {
        lanes = lanes(new LaneLimits(10, 1 << 20, 10, 1_000));

        assertThat(scan(flood(10))).isEqualTo(10);
    }

    @Test
    void cutsARouteDownToItsShareWhenTheMemoryIsFull() {
        lanes = lanes(new LaneLimits(10, 1 << 20, 10, 1_000));
        scan(flood(10));

        assertThat(lanes.evictExcess()).isEqualTo(5);

        assertThat(lanes.memory().events()).isEqualTo(5);
        assertThat(scan(row(11, "more"))).as("it is kept there").isZero();
        assertThat(scan(other(12, "other"))).isEqualTo(1);
        assertThat(seqs(lanes.take(OTHER, PLENTY))).containsExactly(12L);
        assertThat(seqs(take())).as("the oldest lanes stay").containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void looksUpEveryLaneThatACrowdKeptWaitingWhenTheRoutesChange() {
        lanes = lanes(new LaneLimits(10, 1 << 20, 10, 1_000));
        scan(flood(10));
        lanes.evictExcess();
        assertThat(lanes.takeLanesToFetch(10)).as("they wait for room").isEmpty();

        lanes.rerouted(List.of(ROUTE, OTHER));

        assertThat(lanes.takeLanesToFetch(20))
                .as("those and the ones that were still there")
                .hasSize(10);
    }

    @Test
    void crowdsNobodyAndTakesTheNewWeightsWhenTheRoutesChange() {
        RouteShares shares = new RouteShares(100, List.of(LIGHT, HEAVY));
        for (int n = 0; n < 100; n++) {
            shares.added(LIGHT);
        }
        assertThat(shares.crowding(100)).containsExactly(LIGHT);
        Lane waiting = new Lane(7);
        shares.defer(LIGHT, waiting);

        assertThat(shares.replace(List.of(LIGHT.withWeight(3), HEAVY.withWeight(1))))
                .containsExactly(waiting);

        assertThat(shares.isOverShare(LIGHT)).isFalse();
        assertThat(shares.excess(LIGHT.withWeight(3))).isEqualTo(100 - 75);
    }

    @Test
    void releasesTheNextLanesWhenThoseBeforeThemGoAnotherWay() {
        lanes = lanes(new LaneLimits(10, 1 << 20, 10, 1_000));
        scan(flood(10));
        lanes.evictExcess();
        for (int seq = 11; seq <= 15; seq++) {
            assertThat(scan(row(seq, "late-" + seq))).isZero();
        }
        doneAll(take());
        // Each of the five that left has let one lane in, and these have events of the other route by now: nothing of
        // the crowded one will ever leave again.
        FetchedEvent[] others = new FetchedEvent[5];
        for (int n = 0; n < others.length; n++) {
            others[n] = other(6 + n, "flood-" + (6 + n));
        }
        assertThat(lookUp(others)).hasSize(5);

        assertThat(lanes.takeLanesToFetch(10)).isNotEmpty();
    }

    @Test
    void cutsNobodyDownBeforeTheMemoryIsFull() {
        lanes = lanes(new LaneLimits(10, 1 << 20, 10, 1_000));
        scan(flood(8));

        assertThat(lanes.evictExcess()).isZero();
    }

    @Test
    void cutsNobodyDownWhenThereIsOneRouteOnly() {
        RouteShares shares = new RouteShares(10, List.of(LIGHT));
        for (int n = 0; n < 10; n++) {
            shares.added(LIGHT);
        }

        assertThat(shares.crowding(10)).isEmpty();
        assertThat(shares.isOverShare(LIGHT)).isFalse();
    }

    @Test
    void cutsNobodyDownWhoHasNoMoreThanItsShare() {
        RouteShares shares = new RouteShares(10, List.of(LIGHT, OTHER));
        for (int n = 0; n < 5; n++) {
            shares.added(LIGHT);
            shares.added(OTHER);
        }

        assertThat(shares.crowding(10)).isEmpty();
        assertThat(shares.isOverShare(LIGHT)).isFalse();
    }

    @Test
    void sharesTheMemoryByWeight() {
        RouteShares shares = new RouteShares(100, List.of(LIGHT, HEAVY));
        for (int n = 0; n < 60; n++) {
            shares.added(HEAVY);
        }
        for (int n = 0; n < 40; n++) {
            shares.added(LIGHT);
        }

        assertThat(shares.crowding(100)).containsExactly(LIGHT);
        assertThat(shares.excess(LIGHT)).isEqualTo(15);
        assertThat(shares.excess(HEAVY)).isEqualTo(-15);
        assertThat(shares.isOverShare(LIGHT)).isTrue();
        assertThat(shares.isOverShare(HEAVY)).isFalse();
    }

    @Test
    void isCrowdingUntilItHasHalfOfItsShare() {
        RouteShares shares = new RouteShares(100, List.of(LIGHT, OTHER));
        for (int n = 0; n < 90; n++) {
            shares.added(LIGHT);
        }
        shares.crowding(90);
        for (int n = 0; n < 64; n++) {
            shares.removed(LIGHT);
        }
        for (int n = 0; n < 30; n++) {
            shares.added(LIGHT);
        }
        assertThat(shares.isOverShare(LIGHT)).as("26 was more than half").isTrue();

        for (int n = 0; n < 31; n++) {
            shares.removed(LIGHT);
        }
        for (int n = 0; n < 60; n++) {
            shares.added(LIGHT);
        }

        assertThat(shares.isOverShare(LIGHT)).as("25 was half").isFalse();
    }

    @Test
    void readsWhatWasCutWhenThereIsRoomAgain() {
        lanes = lanes(new LaneLimits(10, 1 << 20, 10, 1_000));
        FetchedEvent[] flood = flood(10);
        scan(flood);
        lanes.evictExcess();
        List<Long> delivered = new ArrayList<>();

        for (int pick = 0; pick < 20; pick++) {
            List<LaneEvent> taken = take();
            delivered.addAll(seqs(taken));
            doneAll(taken);
            lookUp(flood);
        }

        assertThat(delivered).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }

    @Test
    void readsWhatWasCutEvenIfLanesBeforeItAreOnHold() {
        lanes = lanes(new LaneLimits(10, 1 << 20, 10, 1_000));
        FetchedEvent[] flood = flood(12);
        scan(flood(10));
        lanes.evictExcess();
        assertThat(scan(flood[10], flood[11])).isZero();
        for (int n = 6; n <= 10; n++) {
            lanes.waiting().pause(lane("flood-" + n), "an operator");
        }
        List<Long> delivered = new ArrayList<>();

        for (int pick = 0; pick < 20; pick++) {
            List<LaneEvent> taken = take();
            delivered.addAll(seqs(taken));
            doneAll(taken);
            lookUp(flood);
        }

        assertThat(delivered).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 11L, 12L);
    }

    @Test
    void letsALateCommitGoWhileTheRouteOfWhatIsBehindItStandsStill() {
        scan(row(5, "a"));
        scan(other(3, "a"));

        // The route of the younger one is paused, so nothing is taken from it.
        assertThat(lanes.readyRoutes()).contains(OTHER);
    }

    private static FetchedEvent[] flood(int count) {
        FetchedEvent[] flood = new FetchedEvent[count];
        for (int n = 0; n < count; n++) {
            flood[n] = Rows.row(n + 1, "flood-" + (n + 1));
        }
        return flood;
    }
}
