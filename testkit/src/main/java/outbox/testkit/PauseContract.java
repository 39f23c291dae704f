package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.Pause;
import outbox.spi.relay.Pause.Kind;
import outbox.spi.relay.Pause.Subject;

/** What an operator pauses stays paused until it is resumed, and members learn of both. */
interface PauseContract extends ContractPart {

    @Test
    default void pausesEveryKindOfThing() {
        Instant before = underTest().partitions().now();
        List<Subject> subjects = List.of(
                new Subject(Kind.SOURCE, ""),
                new Subject(Kind.ROUTE, "orders to é"),
                new Subject(Kind.DESTINATION, "kafka"),
                new Subject(Kind.PARTITION, "3"),
                new Subject(Kind.KEY, "k"),
                new Subject(Kind.KEY, "K"),
                new Subject(Kind.KEY, "k "));

        for (Subject subject : subjects) {
            assertThat(admin().pause(subject, "because of " + FidelityContract.CAT, "me"))
                    .isTrue();
        }

        List<Pause> pauses = admin().pauses();
        assertThat(pauses).extracting(Pause::subject).containsExactlyInAnyOrderElementsOf(subjects);
        assertThat(pauses).extracting(Pause::reason).containsOnly("because of " + FidelityContract.CAT);
        assertThat(pauses).extracting(Pause::by).containsOnly("me");
        assertThat(pauses).allSatisfy(pause -> assertThat(pause.since()).isBetween(before, before.plusSeconds(600)));
        assertThat(underTest().fixture().clusterStore().pauses()).containsExactlyInAnyOrderElementsOf(pauses);
    }

    @Test
    default void pausesNothingTwice() {
        Subject key = new Subject(Kind.KEY, "k");
        admin().pause(key, "first", "me");
        List<Pause> before = admin().pauses();

        assertThat(admin().pause(key, "second", "you")).isFalse();

        assertThat(admin().pauses()).isEqualTo(before);
        assertThat(admin().pause(new Subject(Kind.ROUTE, "k"), "another kind", "you"))
                .isTrue();
    }

    @Test
    default void resumesWhatIsPausedAndNothingElse() {
        Subject key = new Subject(Kind.KEY, "k");
        Subject other = new Subject(Kind.DESTINATION, "k");
        admin().pause(key, "wait", "me");
        admin().pause(other, "wait", "me");

        assertThat(admin().resume(key, "you")).isTrue();

        assertThat(admin().pauses()).extracting(Pause::subject).containsExactly(other);
        assertThat(admin().resume(key, "you")).isFalse();
        assertThat(admin().resume(new Subject(Kind.KEY, "unknown"), "you")).isFalse();
        assertThat(admin().pause(key, "again", "you")).isTrue();
    }

    @Test
    default void notifiesMembersThatPausesHaveChanged() {
        RelayNode node = underTest().relayNode("node");
        Subject key = new Subject(Kind.KEY, "k");
        long atFirst = node.view().pausesVersion();
        admin().resume(key, "me");
        assertThat(node.view().pausesVersion()).isEqualTo(atFirst);

        admin().pause(key, "wait", "me");
        long held = node.view().pausesVersion();
        admin().pause(key, "wait again", "me");
        long heldAgain = node.view().pausesVersion();
        admin().resume(key, "me");
        long resumed = node.view().pausesVersion();

        assertThat(List.of(atFirst, held, resumed)).isSorted().doesNotHaveDuplicates();
        assertThat(heldAgain).isEqualTo(held);
    }

    @Test
    default void oneOfManyRacingOperatorsPausesAThing() {
        AtomicInteger won = new AtomicInteger();
        Runnable racer = () -> {
            if (admin().pause(new Subject(Kind.KEY, "k"), "wait", "me")) {
                won.incrementAndGet();
            }
        };

        Race.between(Collections.nCopies(4, racer));

        assertThat(won).hasValue(1);
        assertThat(admin().pauses()).hasSize(1);
    }

    private ClusterAdmin admin() {
        return underTest().fixture().clusterAdmin();
    }
}
