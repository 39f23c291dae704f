package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import outbox.model.OutboxEvent;
import outbox.spi.operations.AuditEntry;

/** Done events of a time are sent again, in order and some at a time. */
class ResendTest {

    private final Source source = new Source();
    private final FakeRelay relay = new FakeRelay();
    private final Instant from = source.now();

    ResendTest() {
        source.nodeWithAll("node-1");
        source.live = relay;
    }

    private List<String> done(int count) {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            String id = source.publish();
            source.done(id);
            ids.add(id);
        }
        return ids;
    }

    private OperationResult resend(@Nullable String after, boolean dryRun) {
        return source.admin()
                .run(new Request.Resend(from, from.plus(Duration.ofHours(1)), null, "kafka", after, dryRun));
    }

    @Test
    void sendsDoneEventsOfATimeInTheirOrderAndLeavesThemAlone() {
        List<String> ids = done(3);
        source.publish();
        OutboxEvent before = source.event(ids.get(0));
        source.time.advance(Duration.ofHours(2));
        source.nodeWithAll("node-2");
        done(1);

        OperationResult done = resend(null, false);

        assertThat(done).isEqualTo(new OperationResult(3, false, false, null, "3 events sent to kafka"));
        assertThat(relay.sent).containsExactlyElementsOf(ids);
        assertThat(source.event(ids.get(0))).isEqualTo(before);
        AuditEntry entry = source.annasActs().get(0);
        assertThat(entry.action()).isEqualTo("resend");
        assertThat(entry.subject())
                .isEqualTo(
                        "done events created from 2026-01-01T00:00:00Z created before 2026-01-01T01:00:00Z to kafka");
        assertThat(entry.detail()).isEqualTo("3 events sent to kafka");
    }

    @Test
    void sendsManyInSeveralRequests() {
        List<String> ids = done(Resend.EVENTS_MAX + 7);

        OperationResult first = resend(null, false);
        OperationResult second = resend(first.next(), false);

        assertThat(first.changed()).isEqualTo(Resend.EVENTS_MAX);
        assertThat(first.more()).isTrue();
        assertThat(second).isEqualTo(new OperationResult(7, false, false, null, "7 events sent to kafka"));
        assertThat(relay.sent).containsExactlyElementsOf(ids);
    }

    @Test
    void stopsAtWhatDoesNotArriveAndGoesOnThereWhenAskedAgain() {
        List<String> ids = done(5);
        relay.refusesAfter = 2;

        OperationResult first = resend(null, false);

        assertThat(first.changed()).isEqualTo(2);
        assertThat(first.more()).isTrue();
        assertThat(first.incomplete()).isTrue();
        assertThat(first.next()).isEqualTo(ids.get(1));
        assertThat(first.message())
                .isEqualTo("2 events sent to kafka; the next, " + ids.get(2) + ", did not arrive: the broker said no");
        assertThat(resend(first.next(), false).next()).as("none of it arrived").isEqualTo(ids.get(1));

        relay.refusesAfter = Integer.MAX_VALUE;
        assertThat(resend(first.next(), false).changed()).isEqualTo(3);
        assertThat(relay.sent).containsExactlyElementsOf(ids);
    }

    @Test
    void isWrittenDownAlsoWhenItFailsOnTheWay() {
        List<String> ids = done(3);
        relay.failure = new IllegalStateException("out of memory");

        assertThatThrownBy(() -> resend(null, false)).isSameAs(relay.failure);

        assertThat(source.annasActs()).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("resend");
            assertThat(entry.detail())
                    .isEqualTo("it failed: java.lang.IllegalStateException: out of memory; of 3 events from "
                            + ids.get(0) + " on, some may have arrived");
        });
    }

    @Test
    void aDryRunThatGoesOnDoesNotCount() {
        List<String> ids = done(3);

        OperationResult done = resend(ids.get(0), true);

        assertThat(done.changed()).isZero();
        assertThat(done.more()).isTrue();
        assertThat(done.next()).isEqualTo(ids.get(0));
        assertThat(done.message()).isEqualTo("The rest was not counted again");
    }

    @Test
    void aDryRunCountsAndNeedsNoRelay() {
        source.live = null;
        done(3);

        OperationResult done = resend(null, true);

        assertThat(done.changed()).isEqualTo(3);
        assertThat(done.dryRun()).isTrue();
        assertThat(source.annasActs()).isEmpty();
    }

    @Test
    void saysThatThereIsNoSuchDestinationOrTime() {
        done(1);
        assertThatThrownBy(() ->
                        source.admin().run(new Request.Resend(from, from.plusSeconds(1), null, "nowhere", null, false)))
                .isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(() -> new Request.Resend(from, from, null, "kafka", null, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from must be earlier than before");
        assertThat(source.annasActs()).isEmpty();
    }

    @Test
    void sendsEventsOfOneTypeOnly() {
        done(2);

        OperationResult done =
                source.admin().run(new Request.Resend(from, from.plusSeconds(1), "OrderShipped", "kafka", null, false));

        assertThat(done).isEqualTo(new OperationResult(0, false, false, null, "no more events to send"));
    }
}
