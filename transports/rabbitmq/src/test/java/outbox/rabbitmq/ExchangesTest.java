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
        assertThat(exchanges.onProbation(orders)).isEqualTo(new BrokerAddress("orders", null));
        exchanges.markProven(orders);

        assertThat(exchanges.onProbation(orders)).isNull();
        assertThat(exchanges.onProbation(new Route("orders", "another"))).isNull();
        assertThat(exchanges.onProbation(new Route("invoices", "placed")))
                .isEqualTo(new BrokerAddress("invoices", null));
    }

    @Test
    void retriesAFailingExchangeOnceInAWhile() {
        exchanges.markProven(orders);
        exchanges.avoid(new BrokerAddress("orders", null), "it is gone");

        assertThat(exchanges.problem(orders)).isEqualTo("it is gone");
        time.advance(Exchanges.REST.minusNanos(1));
        assertThat(exchanges.problem(new Route("orders", "another"))).isEqualTo("it is gone");
        assertThat(exchanges.problem(new Route("invoices", "placed"))).isNull();
        time.advance(Duration.ofNanos(1));
        assertThat(exchanges.problem(orders)).isNull();
        assertThat(exchanges.onProbation(orders)).isEqualTo(new BrokerAddress("orders", null));

        exchanges.markProven(orders);
        assertThat(exchanges.onProbation(orders)).isNull();
    }

    @Test
    void aRefusedRoutingKeyLeavesItsExchangeAlone() {
        Route secret = new Route("orders", "secret");
        exchanges.markProven(orders);
        exchanges.avoid(BrokerAddress.of(secret), "it is secret");

        assertThat(exchanges.problem(secret)).isEqualTo("it is secret");
        assertThat(exchanges.problem(orders)).isNull();
        time.advance(Exchanges.REST);
        assertThat(exchanges.onProbation(secret)).isEqualTo(new BrokerAddress("orders", "secret"));
        assertThat(exchanges.onProbation(orders)).isNull();

        exchanges.markProven(secret);
        assertThat(exchanges.onProbation(secret)).isNull();
    }
}
