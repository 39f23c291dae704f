package catbox.orders;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.orders.Running.Answer;
import catbox.orders.Running.Stored;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/** Checks the service over HTTP, on a real PostgreSQL. */
class OrderServiceIT {

    private static final long REFUSED_CENTS = 666;
    private static Running service;

    /** A part of the application that fails a payment at the last moment, when its event is already stored. */
    static class Ledger {

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void onPaid(OrderEvent.OrderCompleted event) {
            if (event.amountCents() == REFUSED_CENTS) {
                throw new IllegalStateException("the ledger refuses " + event.amountCents() + " cents");
            }
        }
    }

    @BeforeAll
    static void start() {
        service = Running.start(Ledger.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void storesAnEventWithEveryChangeOfAnOrder() throws Exception {
        Answer created = service.post("/orders", "7", "{\"item\":\"tea\",\"quantity\":2,\"amountCents\":1250}");
        assertThat(created.status()).isEqualTo(201);
        long id = created.body().get("orderId").asLong();
        Answer updated =
                service.send("PUT", "/orders/" + id, "7", "{\"item\":\"cake\",\"quantity\":1,\"amountCents\":900}");
        assertThat(updated.status()).isEqualTo(200);
        Answer paid = service.post("/orders/payment", "7", "{\"orderId\": " + id + "}");
        assertThat(paid.status()).isEqualTo(200);
        assertThat(paid.body().get("status").asString()).isEqualTo("PAID");

        List<Stored> events = service.events("ORDER", id);
        assertThat(events)
                .extracting(Stored::eventType)
                .containsExactly("OrderCreated", "OrderUpdated", "OrderCompleted");
        assertThat(events).allMatch(event -> event.orderingKey().equals(Long.toString(id)));
        assertThat(events.getLast().payload().toString())
                .isEqualTo("{\"orderId\":" + id + ",\"userId\":7,\"amountCents\":900}");
        assertThat(service.send("GET", "/orders/" + id, "7", "").body().toString())
                .isEqualTo("{\"orderId\":" + id
                        + ",\"item\":\"cake\",\"quantity\":1,\"amountCents\":900,\"status\":\"PAID\"}");
    }

    @Test
    void storesAnEventWithACoupon() throws Exception {
        Answer issued = service.post("/coupons", "7", "{\"couponName\":\"WELCOME\"}");
        assertThat(issued.status()).isEqualTo(201);
        long id = issued.body().get("couponId").asLong();

        assertThat(service.events("COUPON", id)).singleElement().satisfies(event -> {
            assertThat(event.eventType()).isEqualTo("CouponIssued");
            assertThat(event.payload().get("couponName").asString()).isEqualTo("WELCOME");
            assertThat(event.orderingKey()).isEqualTo(Long.toString(id));
        });
    }

    @Test
    void aPaymentThatFailsLeavesNeitherAPaidOrderNorAnEvent() throws Exception {
        Answer created =
                service.post("/orders", "1", "{\"item\":\"tea\",\"quantity\":1,\"amountCents\":" + REFUSED_CENTS + "}");
        long id = created.body().get("orderId").asLong();

        Answer failed = service.post("/orders/payment", "1", "{\"orderId\":" + id + "}");

        assertProblem(failed, 500, "check before you send it again");
        assertThat(service.events("ORDER", id)).extracting(Stored::eventType).containsExactly("OrderCreated");
        assertThat(service.send("GET", "/orders/" + id, "1", "")
                        .body()
                        .get("status")
                        .asString())
                .isEqualTo("PLACED");
    }

    @Test
    void ofPaymentsAtTheSameTimeOneSucceeds() throws Exception {
        int payers = 8;
        for (int round = 0; round < 5; round++) {
            long id = service.order();
            CyclicBarrier together = new CyclicBarrier(payers);
            Callable<Integer> payment = () -> {
                together.await();
                return service.post("/orders/payment", "1", "{\"orderId\":" + id + "}")
                        .status();
            };
            List<Integer> statuses = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(payers)) {
                for (Future<Integer> each : threads.invokeAll(Collections.nCopies(payers, payment))) {
                    statuses.add(each.get());
                }
            }
            assertThat(statuses).containsOnly(200, 409).containsOnlyOnce(200);
            assertThat(service.events("ORDER", id))
                    .extracting(Stored::eventType)
                    .containsExactly("OrderCreated", "OrderCompleted");
        }
    }

    @Test
    void anOrderThatIsPaidCannotBePaidOrChangedAgain() throws Exception {
        long id = service.order();
        service.post("/orders/payment", "1", "{\"orderId\":" + id + "}");

        assertProblem(
                service.post("/orders/payment", "1", "{\"orderId\":" + id + "}"),
                409,
                "Order " + id + " is paid already.");
        assertProblem(
                service.send("PUT", "/orders/" + id, "1", "{\"item\":\"x\",\"quantity\":1,\"amountCents\":1}"),
                409,
                "Order " + id + " is paid already.");
        assertThat(service.events("ORDER", id)).hasSize(2);
    }

    @Test
    void aMissingOrderAndAnotherUsersOrderAreUnknown() throws Exception {
        long id = service.order();
        assertProblem(service.post("/orders/payment", "1", "{\"orderId\":999999}"), 404, "You have no order 999999.");
        assertProblem(
                service.post("/orders/payment", "2", "{\"orderId\":" + id + "}"), 404, "You have no order " + id + ".");
        assertProblem(service.send("GET", "/orders/" + id, "2", ""), 404, "You have no order " + id + ".");
    }

    @Test
    void anInvalidRequestGetsTheReason() throws Exception {
        String right = "{\"item\":\"tea\",\"quantity\":2,\"amountCents\":1250}";
        assertProblem(service.post("/orders", "", right), 400, "My-User-Id");
        assertProblem(service.post("/orders", "me", right), 400, "My-User-Id");
        assertProblem(service.post("/orders", "-1", right), 400, "My-User-Id=must be greater than 0");
        assertProblem(
                service.post("/orders", "1", "{\"item\":\" \",\"quantity\":0}"),
                400,
                "amountCents=must not be null, item=must not be blank, quantity=must be greater than or equal to 1");
        assertProblem(service.post("/orders", "1", "{\"item\":"), 400, "cannot be read as the JSON");
        assertProblem(service.post("/orders", "1", right.replace("item", "thing")), 400, "thing");
        assertProblem(service.post("/orders/payment", "1", "{}"), 400, "orderId=must not be null");
        assertProblem(service.send("DELETE", "/orders/1", "1", ""), 405, "DELETE");
    }

    @Test
    void documentsItself() throws Exception {
        Answer document = service.send("GET", "/v3/api-docs", "", "");
        assertThat(document.status()).isEqualTo(200);
        assertThat(document.body().get("paths").propertyNames())
                .contains("/orders", "/orders/{orderId}", "/orders/payment", "/coupons");
        assertThat(service.send("GET", "/actuator/health", "", "").status()).isEqualTo(200);
    }

    private static void assertProblem(Answer answer, int status, String detail) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.body().get("detail").asString()).contains(detail);
    }
}
