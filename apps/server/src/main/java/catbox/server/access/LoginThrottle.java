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
 * Limits failed logins of one user from one address, of one address, and of one user. Above a limit no password is
 * checked until the time window is over. The limit of a user alone is high, because anyone could use it to lock that
 * user out.
 *
 * <p>The number of entries is limited, and the one that was unused for the longest time is dropped. A client that
 * invents users to have entries dropped reaches the limit of its address first.
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

    /** What failures are counted for; an empty user or network stands for any. */
    private record Subject(String user, String network, int failuresMax) {}

    /** The failures since a time, and whether the log has said that they are too many. */
    private record Failures(int count, long firstNanos, boolean logged) {}

    LoginThrottle(TimeSource time) {
        this.time = time;
    }

    /**
     * Returns whether a password may be checked. It counts as a failure until it proves right, so that concurrent
     * attempts get no further than consecutive ones.
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
                        : new Failures(before.count() + 1, before.firstNanos(), before.logged()));
    }

    /** Returns whether to log that a login is not admitted: once in a time window, and not at every attempt. */
    synchronized boolean shouldLog(String user, String address) {
        boolean first = false;
        for (Subject subject : subjects(user, address)) {
            Failures before = failures.get(subject);
            if (before != null && !admits(subject) && !before.logged()) {
                failures.put(subject, new Failures(before.count(), before.firstNanos(), true));
                first = true;
            }
        }
        return first;
    }

    /** Forgets the failures of this user from this address, and takes back this attempt from the other two counts. */
    synchronized void succeeded(String user, String address) {
        for (Subject each : subjects(user, address)) {
            failures.computeIfPresent(
                    each,
                    (subject, before) -> subject.failuresMax() == PAIR_FAILURES_MAX || before.count() == 1
                            ? null
                            : new Failures(before.count() - 1, before.firstNanos(), before.logged()));
        }
    }

    synchronized int size() {
        return failures.size();
    }

    private boolean isOver(Failures before) {
        return time.nanoTime() - before.firstNanos() >= TimeUnit.NANOSECONDS.convert(WINDOW);
    }

    private static List<Subject> subjects(String user, String address) {
        String network = network(address);
        return List.of(
                new Subject(user, network, PAIR_FAILURES_MAX),
                new Subject("", network, ADDRESS_FAILURES_MAX),
                new Subject(user, "", USER_FAILURES_MAX));
    }

    // The owner of one IPv6 address has all those with the same 64 bits, and could use another one for each guess.
    private static String network(String address) {
        return AddressRange.address(address)
                .filter(Inet6Address.class::isInstance)
                .map(each -> HexFormat.of().formatHex(each.getAddress(), 0, NETWORK_BYTES))
                .orElse(address);
    }
}
