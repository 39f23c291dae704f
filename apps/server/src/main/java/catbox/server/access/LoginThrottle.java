package catbox.server.access;

import catbox.server.config.AddressRange;
import java.net.Inet6Address;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import outbox.spi.TimeSource;

/**
 * Slows down who guesses passwords: too many failures within a while, of one user from one address, of one address or of
 * one user, and no password is looked at until the while is over. The limit of a user alone is high, since anybody could
 * use it to lock somebody else out.
 *
 * <p>Remembers so many at most and forgets the one not seen for the longest time. Who makes up users to be forgotten
 * runs into the limit of his address first.
 */
final class LoginThrottle {

    private static final Duration WINDOW = Duration.ofMinutes(15);
    private static final int ENTRIES_MAX = 10_000;
    private static final int PAIR_FAILURES_MAX = 5;
    private static final int ADDRESS_FAILURES_MAX = 20;
    private static final int USER_FAILURES_MAX = 50;
    private static final int NETWORK_BYTES = 8;

    private final TimeSource time;
    private final Map<Subject, Failures> failures = new LinkedHashMap<>(16, 0.75f, true) { // guarded by this
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Subject, Failures> eldest) {
                    return size() > ENTRIES_MAX;
                }
            };

    /** What failures are counted for; an empty name or address means any. */
    private record Subject(String user, String address, int failuresMax) {}

    /** How many there were since then, and whether it was said that they are too many. */
    private record Failures(int count, long firstNanos, boolean told) {}

    LoginThrottle(TimeSource time) {
        this.time = time;
    }

    /**
     * Whether a password may be looked at. It counts as a failure until it is known to be right, so that many who try at
     * the same time get no further than one who tries again and again.
     */
    synchronized boolean admits(String user, String address) {
        List<Subject> subjects = subjects(user, address);
        boolean admitted = subjects.stream().allMatch(this::admits);
        if (admitted) {
            subjects.forEach(this::count);
        }
        return admitted;
    }

    private boolean admits(Subject subject) {
        Failures before = failures.get(subject);
        return before == null || isOver(before) || before.count() < subject.failuresMax();
    }

    private void count(Subject subject) {
        Failures before = failures.get(subject);
        failures.put(
                subject,
                before == null || isOver(before)
                        ? new Failures(1, time.nanoTime(), false)
                        : new Failures(before.count() + 1, before.firstNanos(), before.told()));
    }

    /** Whether somebody who is not admitted is worth a word in the log: once in a while, and not at every try. */
    synchronized boolean isNews(String user, String address) {
        boolean news = false;
        for (Subject subject : subjects(user, address)) {
            Failures before = failures.get(subject);
            if (before != null && !admits(subject) && !before.told()) {
                failures.put(subject, new Failures(before.count(), before.firstNanos(), true));
                news = true;
            }
        }
        return news;
    }

    /** Forgets the failures of who knew the password in the end; of those of his address and his name only this one. */
    synchronized void succeeded(String user, String address) {
        for (Subject subject : subjects(user, address)) {
            failures.computeIfPresent(
                    subject,
                    (who, before) -> who.failuresMax() == PAIR_FAILURES_MAX || before.count() == 1
                            ? null
                            : new Failures(before.count() - 1, before.firstNanos(), before.told()));
        }
    }

    synchronized int size() {
        return failures.size();
    }

    private boolean isOver(Failures before) {
        return time.nanoTime() - before.firstNanos() >= TimeUnit.NANOSECONDS.convert(WINDOW);
    }

    private static List<Subject> subjects(String user, String address) {
        String place = place(address);
        return List.of(
                new Subject(user, place, PAIR_FAILURES_MAX),
                new Subject("", place, ADDRESS_FAILURES_MAX),
                new Subject(user, "", USER_FAILURES_MAX));
    }

    // Who has one address of IPv6 has all that begin alike, and could use a new one for each guess.
    private static String place(String address) {
        return AddressRange.address(address)
                .filter(Inet6Address.class::isInstance)
                .map(each -> HexFormat.of().formatHex(each.getAddress(), 0, NETWORK_BYTES))
                .orElse(address);
    }
}
