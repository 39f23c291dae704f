package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.testkit.ManualTime;

final class ExchangesTest {

    private final ManualTime time = new ManualTime();
    private final Exchanges exchanges = new Exchanges(time);
    private final Route orders = new Route("orders", "placed");

    @Test
    void anExchangeIsOnProbationUntilTheBrokerHasAnswered() {
        assertThat(exchanges.onProbation(orders)).isEqualTo(new Place("orders", null));
        exchanges.proved(orders);

        assertThat(exchanges.onProbation(orders)).isNull();
        assertThat(exchanges.onProbation(new Route("orders", "another"))).isNull();
        assertThat(exchanges.onProbation(new Route("invoices", "placed"))).isEqualTo(new Place("invoices", null));
    }

    @Test
    void oneThatMadeTroubleRestsAndIsTriedOnceInAWhile() {
        exchanges.proved(orders);
        exchanges.avoid(new Place("orders", null), "it is gone");

        assertThat(exchanges.trouble(orders)).isEqualTo("it is gone");
        time.advance(Exchanges.REST.minusNanos(1));
        assertThat(exchanges.trouble(new Route("orders", "another"))).isEqualTo("it is gone");
        assertThat(exchanges.trouble(new Route("invoices", "placed"))).isNull();
        time.advance(Duration.ofNanos(1));
        assertThat(exchanges.trouble(orders)).isNull();
        assertThat(exchanges.onProbation(orders)).isEqualTo(new Place("orders", null));

        exchanges.proved(orders);
        assertThat(exchanges.onProbation(orders)).isNull();
    }

    @Test
    void aRefusedRoutingKeyLeavesItsExchangeAlone() {
        Route secret = new Route("orders", "secret");
        exchanges.proved(orders);
        exchanges.avoid(Place.of(secret), "it is secret");

        assertThat(exchanges.trouble(secret)).isEqualTo("it is secret");
        assertThat(exchanges.trouble(orders)).isNull();
        time.advance(Exchanges.REST);
        assertThat(exchanges.onProbation(secret)).isEqualTo(new Place("orders", "secret"));
        assertThat(exchanges.onProbation(orders)).isNull();

        exchanges.proved(secret);
        assertThat(exchanges.onProbation(secret)).isNull();
    }
}
