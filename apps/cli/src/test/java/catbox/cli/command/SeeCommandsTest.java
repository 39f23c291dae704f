package catbox.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the commands that change nothing show. */
class SeeCommandsTest {

    private final TestTerminal terminal = new TestTerminal();

    private void shows(String command, String text) {
        TestTerminal.Result result = terminal.run(command.split(" ", -1));
        assertThat(result.out()).isEqualTo(text);
        assertThat(result.code()).isZero();
    }

    @Test
    void showsOverview() {
        shows("overview", """
                pending     1, the oldest for 30 s
                dead        more than 10000
                nodes       2
                partitions  6, 1 without owner
                paused      1

                type         sampled  average    max
                OrderPlaced    1,000    12 ms  1.5 s

                paused  name     since                           by    reason
                key     order-7  3 h ago (2026-01-01 09:00:00Z)  anna  customer asked
                """);
    }

    @Test
    void showsEvents() {
        shows("events", """
                event                       state  type         key      created                          attempts  last error
                01JGGZ3Q8PBBBBBBBBBBBBBBBB  new    OrderPaid    order-7  30 s ago (2026-01-01 11:59:30Z)         0  -
                01JGGZ3Q8PAAAAAAAAAAAAAAAA  dead   OrderPlaced  order-7  5 m ago (2026-01-01 11:55:00Z)          3  HTTP 422 from the shop
                """);
    }

    @Test
    void showsEvent() {
        shows("event " + CannedAdmin.DEAD_ID, """
                event           01JGGZ3Q8PAAAAAAAAAAAAAAAA
                type            OrderPlaced
                state           dead
                key             order-7
                partition       3
                aggregate type  Order
                aggregate       7
                occurred        5 m ago (2026-01-01 11:54:59Z)
                created         5 m ago (2026-01-01 11:55:00Z)
                available       5 m ago (2026-01-01 11:55:00Z)
                attempts        3 of 10
                last attempt    60 s ago (2026-01-01 11:59:00Z)
                last error      HTTP 422 from the shop
                arrived         orders-1@99 of kafka, by node-1, 61 s ago (2026-01-01 11:58:59Z)
                payload         120 bytes, edited

                It died after 3 attempts.

                failed attempt  at                               node    destination  error
                             3  60 s ago (2026-01-01 11:59:00Z)  node-1  shop         HTTP 422

                acknowledged by  at
                kafka:orders     61 s ago (2026-01-01 11:58:59Z)

                entry  at                               who   action  subject                     detail
                    7  20 s ago (2026-01-01 11:59:40Z)  anna  replay  01JGGZ3Q8PAAAAAAAAAAAAAAAA  the shop is back
                """);
    }

    @Test
    void showsKey() {
        shows("key order-7", """
                key        order-7
                partition  3
                owner      node-1
                paused     by anna: customer asked
                pending    more than 1
                dead       1

                The key is on hold.

                event                       state  type       key      created                          attempts  last error
                01JGGZ3Q8PBBBBBBBBBBBBBBBB  new    OrderPaid  order-7  30 s ago (2026-01-01 11:59:30Z)         0  -

                event                       state  type         key      created                         attempts  last error
                01JGGZ3Q8PAAAAAAAAAAAAAAAA  dead   OrderPlaced  order-7  5 m ago (2026-01-01 11:55:00Z)         3  HTTP 422 from the shop
                """);
    }

    @Test
    void showsDead() {
        shows("dead list", """
                dead  error                 types                   first                           last                             example
                  12  HTTP * from the shop  OrderPlaced, OrderPaid  5 m ago (2026-01-01 11:55:00Z)  60 s ago (2026-01-01 11:59:00Z)  01JGGZ3Q8PAAAAAAAAAAAAAAAA
                """);
    }

    @Test
    void showsNodes() {
        shows("nodes", """
                node    state  weight  partitions  version  address   last heartbeat  joined
                node-1  alive       1  0 1 3       0.1.0    10.0.0.1  400 ms ago      3 d ago (2025-12-29 12:00:00Z)
                node-2  gone        1  -           0.1.0    -         5 m ago         3 d ago (2025-12-29 12:00:00Z)
                """);
    }

    @Test
    void showsPartitions() {
        shows("partitions", """
                partition  owner   epoch  owned since                      paused
                        0  node-1      4  10 m ago (2026-01-01 11:50:00Z)  -
                        1  none        5  -                                yes
                """);
    }

    @Test
    void showsDestinations() {
        shows("destinations", """
                destination  kind   state    down since                       next probe  paused  in flight  last error
                kafka        kafka  up       -                                -           -              12  -
                shop         http   down     10 m ago (2026-01-01 11:50:00Z)  in 3.0 s    yes             0  HTTP 503
                lake         file   unknown  -                                -           -               0  -
                Address orders of kafka has been unavailable since 60 s ago (2026-01-01 11:59:00Z), next probe in 4.0 s: no such topic
                """);
    }

    @Test
    void showsRoutes() {
        shows("routes", """
                route   matches      to                        weight  paused
                orders  type Order*  kafka:orders-{tenant}          2  -
                noise   type Debug   nowhere: nobody reads it       1  yes
                """);
    }

    @Test
    void showsRoutesTest() {
        shows("routes test --type OrderPaid --tenant acme", """
                route     matches      to                        weight  paused
                * orders  type Order*  kafka:orders-{tenant}          2  -
                noise     type Debug   nowhere: nobody reads it       1  yes

                The event takes route orders, to kafka:orders-acme.
                """);
    }

    @Test
    void showsPauses() {
        shows("pauses", """
                paused  name     since                           by    reason
                key     order-7  3 h ago (2026-01-01 09:00:00Z)  anna  customer asked
                """);
    }

    @Test
    void showsAudit() {
        shows("audit", """
                entry  at                               who   action  subject                     detail
                    7  20 s ago (2026-01-01 11:59:40Z)  anna  replay  01JGGZ3Q8PAAAAAAAAAAAAAAAA  the shop is back
                """);
    }

    @Test
    void showsDoctor() {
        shows("doctor", """
                No problems were found.
                """);
    }

    @Test
    void showsReveal() {
        shows("reveal " + CannedAdmin.DEAD_ID, """
                tenant  acme
                {"a":2}

                The payload was edited. It was published as:
                {"a":1}
                """);
    }

    @Test
    void showsSources() {
        shows("sources", """
                source   state       problem
                orders   connected   -
                billing  connecting  refused
                """);
    }
}
