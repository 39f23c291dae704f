package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import outbox.internal.OpenCalls.Start;
import outbox.model.Outcome;

class OpenCallsTest {

    private static final Outcome DELIVERED = new Outcome.Delivered("orders", 0, 1);
    private static final Outcome CUT_OFF = Outcome.Retryable.unanswered("closed before the answer");
    private static final Outcome CLOSED = new Outcome.Unavailable("closed", Outcome.Unavailable.Scope.CALL);

    private final List<String> reports = new ArrayList<>();

    private OpenCalls.Call call(OpenCalls calls, int size) {
        return calls.call(
                size,
                (index, outcome) -> reports.add(index + " " + outcome.getClass().getSimpleName()));
    }

    @Test
    void eachDeliveryGetsTheOutcomeOfTheFirstReport() {
        OpenCalls calls = new OpenCalls(1);
        OpenCalls.Call call = call(calls, 2);
        calls.start(call, () -> {});

        call.report(1, DELIVERED);
        call.report(1, CLOSED);
        call.reportRest(CUT_OFF, CLOSED);

        assertThat(reports).containsExactly("1 Delivered", "0 Unavailable");
    }

    @Test
    void closingReportsTheRestAndDistinguishesSentDeliveries() {
        OpenCalls calls = new OpenCalls(1);
        OpenCalls.Call call = call(calls, 3);
        calls.start(call, () -> call.markSent(1));
        call.report(2, DELIVERED);

        assertThat(calls.close(CUT_OFF, CLOSED)).isTrue();
        assertThat(calls.close(CUT_OFF, CLOSED)).isFalse();

        assertThat(reports).containsExactly("2 Delivered", "0 Unavailable", "1 Retryable");
    }

    @Test
    void noCallStartsAfterClosing() {
        OpenCalls calls = new OpenCalls(1);
        calls.close(CUT_OFF, CLOSED);

        assertThat(calls.start(call(calls, 1), () -> reports.add("started"))).isEqualTo(Start.CLOSED);
        assertThat(reports).isEmpty();
    }

    @Test
    void refusesMoreCallsThanAllowedUntilOneIsDone() {
        OpenCalls calls = new OpenCalls(1);
        OpenCalls.Call first = call(calls, 1);
        assertThat(calls.start(first, () -> {})).isEqualTo(Start.STARTED);
        assertThat(calls.start(call(calls, 1), () -> {})).isEqualTo(Start.TOO_MANY);

        first.report(0, DELIVERED);
        assertThat(calls.start(call(calls, 1), () -> {})).isEqualTo(Start.STARTED);
    }

    @Test
    void theDeadlineIsCancelledWithTheLastOutcomeHoweverEarlyThatCame() {
        OpenCalls calls = new OpenCalls(1);
        for (boolean early : new boolean[] {true, false}) {
            FutureTask<Void> deadline = new FutureTask<>(() -> null);
            OpenCalls.Call call = call(calls, 1);
            if (early) {
                call.report(0, DELIVERED);
                call.cancelWhenDone(deadline);
            } else {
                call.cancelWhenDone(deadline);
                assertThat(deadline).isNotCancelled();
                call.report(0, DELIVERED);
            }
            assertThat(deadline).isCancelled();
        }
    }
}
