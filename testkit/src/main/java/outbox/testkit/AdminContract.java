package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.DeadFilter;
import outbox.model.DeadPosition;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.BoundedCount;

/** Dead events can be seen, counted and sent again. */
interface AdminContract extends ContractPart {

    @Test
    default void findsAnEventWhateverBecameOfIt() {
        EventEnvelope dead = Events.any();
        underTest().publishDead(dead, "broken");
        EventEnvelope done = Events.any();
        underTest().publishDone(done, 0);
        EventEnvelope pending = underTest().publish(Events.any());

        assertThat(underTest().row(dead).status()).isEqualTo(EventStatus.DEAD);
        assertThat(underTest().row(done).status()).isEqualTo(EventStatus.DONE);
        assertThat(underTest().row(pending).status()).isEqualTo(EventStatus.NEW);
        assertThat(underTest().admin().find("no such event")).isEmpty();
    }

    @Test
    default void listsDeadEventsPageByPage() {
        List<String> dead = new ArrayList<>();
        underTest().publishAll(Events.many(3));
        settleAllAsDead("one transaction, perhaps one creation time");
        for (int n = 0; n < 4; n++) {
            underTest().publishDead(Events.any(), "broken");
        }
        underTest().publish(Events.any());

        List<OutboxEvent> all = underTest().admin().listDead(DeadFilter.all(), null, 100);
        List<OutboxEvent> page = underTest().admin().listDead(DeadFilter.all(), null, 2);
        while (!page.isEmpty()) {
            assertThat(page.size()).isLessThanOrEqualTo(2);
            assertThat(dead).doesNotContainAnyElementsOf(Events.idsOf(page));
            dead.addAll(Events.idsOf(page));
            page = underTest().admin().listDead(DeadFilter.all(), DeadPosition.of(page.get(page.size() - 1)), 2);
        }

        assertThat(all).hasSize(7).extracting(OutboxEvent::status).containsOnly(EventStatus.DEAD);
        assertThat(all)
                .isSortedAccordingTo(
                        Comparator.comparing(OutboxEvent::createdAt).thenComparing(OutboxEvent::eventId));
        assertThat(dead).containsExactlyElementsOf(Events.idsOf(all));
    }

    private void settleAllAsDead(String error) {
        Claimer claimer = underTest().claimer();
        claimer.claim().forEach(held -> claimer.settle(held.dead(error)));
    }

    @Test
    default void filtersDeadEventsByTypeAggregateAndTenant() {
        EventEnvelope wanted = EventEnvelope.builder("Wanted")
                .aggregateId("a-1")
                .tenantId("t-1")
                .payloadJson("{}")
                .build();
        underTest().publishDead(wanted, "broken");
        underTest()
                .publishDead(Events.sample().aggregateId("a-2").tenantId("t-2").build(), "broken");
        underTest().publishDead(Events.any(), "broken");

        assertMatches(DeadFilter.all().ofType("Wanted"), wanted.eventId());
        assertMatches(DeadFilter.all().ofAggregate("a-1"), wanted.eventId());
        assertMatches(DeadFilter.all().ofTenant("t-1"), wanted.eventId());
        assertMatches(DeadFilter.all().ofType("Wanted").ofAggregate("a-1").ofTenant("t-1"), wanted.eventId());
        assertMatches(DeadFilter.all().ofType("Wanted").ofTenant("t-2"));
        assertMatches(DeadFilter.all().ofType("wanted"));
    }

    @Test
    default void filtersDeadEventsByAPartOfTheirErrorToTheLetter() {
        String percent = underTest().publishDead(Events.any(), "disk 100% full").eventId();
        String underscore =
                underTest().publishDead(Events.any(), "no file_name").eventId();
        String backslash =
                underTest().publishDead(Events.any(), "C:\\temp is [gone]").eventId();
        underTest().publishDead(Events.any(), "disk 100 full, no filename, C:temp");

        assertMatches(DeadFilter.all().withErrorContaining("100% f"), percent);
        assertMatches(DeadFilter.all().withErrorContaining("%"), percent);
        assertMatches(DeadFilter.all().withErrorContaining("_"), underscore);
        assertMatches(DeadFilter.all().withErrorContaining("file_name"), underscore);
        assertMatches(DeadFilter.all().withErrorContaining(":\\t"), backslash);
        assertMatches(DeadFilter.all().withErrorContaining("[gone]"), backslash);
        assertMatches(DeadFilter.all().withErrorContaining("DISK"));
    }

    @Test
    default void filtersDeadEventsByTheTimeOfTheirCreation() {
        Instant first = underTest().publishDead(Events.any(), "broken").createdAt();
        OutboxEvent middle = publishDeadAfter(first);
        Instant last = publishDeadAfter(middle.createdAt()).createdAt();

        assertMatches(DeadFilter.all().createdBetween(middle.createdAt(), last), middle.eventId());
        assertMatches(DeadFilter.all().createdBetween(last.plusSeconds(1), last.plusSeconds(2)));
        assertThat(underTest().admin().listDead(DeadFilter.all().createdBetween(first, last.plusSeconds(1)), null, 10))
                .extracting(OutboxEvent::createdAt)
                .contains(first, last);
    }

    /** A dead event of a later creation time, however coarse the clock of the store. */
    private OutboxEvent publishDeadAfter(Instant earlier) {
        List<OutboxEvent> made = new ArrayList<>();
        Await.until("the store's clock has moved on", () -> {
            OutboxEvent event = underTest().publishDead(Events.any(), "broken");
            made.add(event);
            return event.createdAt().isAfter(earlier);
        });
        return made.get(made.size() - 1);
    }

    private void assertMatches(DeadFilter filter, String... eventIds) {
        assertThat(underTest().admin().listDead(filter, null, 100))
                .extracting(OutboxEvent::eventId)
                .containsExactly(eventIds);
        assertThat(underTest().admin().countDead(filter, 100)).isEqualTo(new BoundedCount(eventIds.length, false));
    }

    @Test
    default void countsDeadEventsUpToALimit() {
        for (int n = 0; n < 3; n++) {
            underTest().publishDead(Events.any(), "broken");
        }
        underTest().publishDone(Events.any(), 0);

        assertThat(underTest().admin().countDead(DeadFilter.all(), 2)).isEqualTo(new BoundedCount(2, true));
        assertThat(underTest().admin().countDead(DeadFilter.all(), 3)).isEqualTo(new BoundedCount(3, false));
        assertThat(underTest().admin().countDead(DeadFilter.all().withErrorContaining("other"), 3))
                .isEqualTo(new BoundedCount(0, false));
    }

    @Test
    default void replaysADeadEventAsIfItWereNew() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "first"));
        claimer.settle(claimer.claimOnly().dead("second"));

        assertThat(underTest().admin().replay(event.eventId())).isTrue();

        OutboxEvent again = claimer.claimOnly().event();
        assertThat(again.status()).isEqualTo(EventStatus.NEW);
        assertThat(again.attempts()).isZero();
        assertThat(again.toEnvelope()).isEqualTo(event);
        assertThat(underTest().admin().countDead(DeadFilter.all(), 10)).isEqualTo(new BoundedCount(0, false));
    }

    @Test
    default void replaysNothingThatIsNotDead() {
        EventEnvelope done = Events.any();
        OutboxEvent before = underTest().publishDone(done, 0);
        EventEnvelope pending = underTest().publish(Events.any());

        assertThat(underTest().admin().replay(done.eventId())).isFalse();
        assertThat(underTest().admin().replay(pending.eventId())).isFalse();
        assertThat(underTest().admin().replay("no such event")).isFalse();
        assertThat(underTest().row(done)).isEqualTo(before);
    }

    @Test
    default void replaysTheOldestDeadEventsThatMatch() {
        String first = underTest().publishDead(Events.any(), "broken").eventId();
        underTest().publishDead(Events.any(), "another error");
        OutboxEvent second = publishDeadAfter(underTest().row(first).createdAt());
        publishDeadAfter(second.createdAt());
        DeadFilter broken = DeadFilter.all().withErrorContaining("broken");
        int dead = underTest().admin().listDead(broken, null, 100).size();

        assertThat(underTest().admin().replayDead(broken, 1)).isEqualTo(1);
        assertThat(underTest().row(first).status()).isEqualTo(EventStatus.NEW);
        assertThat(underTest().row(second.eventId()).status()).isEqualTo(EventStatus.DEAD);

        assertThat(underTest().admin().replayDead(broken, 100)).isEqualTo(dead - 1);
        assertThat(underTest().admin().replayDead(broken, 100)).isZero();
        assertThat(underTest().admin().listDead(DeadFilter.all(), null, 100))
                .extracting(event -> event.state().lastError())
                .containsExactly("another error");
        assertThat(underTest().claimer().claim()).hasSize(dead);
    }
}
