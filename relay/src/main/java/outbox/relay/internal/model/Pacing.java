package outbox.relay.internal.model;

import java.time.Duration;

/**
 * How often a relay does what it repeats: every duration that was tuned by measuring and is no setting of users.
 *
 * @param pollMin the shortest rest between two peeks at the store
 * @param busyPoll the rest between two peeks while every loop fetches unprompted; delayed events come due meanwhile
 * @param prefetchMin the shortest rest between two fetches for several loops, while events flow
 * @param prefetchMax the longest
 * @param prefetchFromPerSecond from this rate on, most fetches that wait for no notification find an event
 * @param prefetchShare the divisor of the share of time that is spent on fetching, at most
 * @param gather how long answers are gathered, since fewer and larger calls cost far less
 * @param gatherFrom with this many events in flight they are
 * @param settleLingerMax the longest that outcomes wait to be written together, however slow the store is
 * @param settleAtOnce with this many in one commit, waiting for more would gain little
 * @param wakeUpMin the shortest rest between two wake-ups that are sent
 * @param wakeUpMax the longest, for publishers that commit without a pause
 * @param failureRest the first rest after a failure of a loop
 * @param failureRestMax the longest
 * @param recheckAfter how long a lane waits whose oldest event has no route or cannot be read
 * @param checkMin the shortest rest between two checks of a connection that is down
 * @param checkMax the longest, and the longest that a check may take
 */
public record Pacing(
        Duration pollMin,
        Duration busyPoll,
        Duration prefetchMin,
        Duration prefetchMax,
        int prefetchFromPerSecond,
        int prefetchShare,
        Duration gather,
        int gatherFrom,
        Duration settleLingerMax,
        int settleAtOnce,
        Duration wakeUpMin,
        Duration wakeUpMax,
        Duration failureRest,
        Duration failureRestMax,
        Duration recheckAfter,
        Duration checkMin,
        Duration checkMax) {

    /** As measured. */
    public static final Pacing MEASURED = new Pacing(
            Duration.ofMillis(10),
            Duration.ofMillis(100),
            Duration.ofMillis(1),
            Duration.ofMillis(10),
            600,
            4,
            Duration.ofMillis(1),
            32,
            Duration.ofMillis(100),
            100,
            Duration.ofMillis(1),
            Duration.ofMillis(10),
            Duration.ofMillis(50),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofMillis(250),
            Duration.ofSeconds(2));

    /** A fetch for several loops that takes longer keeps all of them waiting. */
    public Duration slowFetch() {
        return prefetchMax.multipliedBy(20);
    }

    /** How long each loop fetches for itself after such a fetch, or after one that failed. */
    public Duration prefetchPause() {
        return slowFetch().multipliedBy(25);
    }

    /** How long notifications are waited for at a time. */
    public Duration listen() {
        return busyPoll.multipliedBy(5);
    }

    /** The rest after a failure of a part that every loop depends on. */
    public Duration partFailureRest() {
        return failureRest.multipliedBy(10);
    }

    /** The longest rest of a loop, however little there is to do. */
    public Duration loopRestMax() {
        return failureRestMax.dividedBy(2);
    }

    /** How long memory may be full before routes that have more than their share are cut down. */
    public Duration fullFor() {
        return busyPoll;
    }
}
