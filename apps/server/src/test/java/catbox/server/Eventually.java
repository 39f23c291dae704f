package catbox.server;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks again until there is an answer, for a minute and a half: the servers under test have clocks of their own. */
public final class Eventually {

    private static final int LOOKS = 1_800;
    private static final long PAUSE_MILLIS = 50;

    private Eventually() {}

    /** The first answer that is not null. */
    public static <T> T value(String what, Callable<T> question) {
        CountDownLatch never = new CountDownLatch(1);
        Exception last = null;
        try {
            for (int look = 0; look < LOOKS; look++) {
                try {
                    T answer = question.call();
                    if (answer != null) {
                        return answer;
                    }
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    last = e;
                }
                never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("waited in vain until " + what, last);
    }

    public static void happens(String what, Callable<Boolean> question) {
        value(what, () -> question.call() ? true : null);
    }
}
