package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Collects what listeners receive, in order. */
final class Received {

    private static final long AT_MOST_SECONDS = 30;

    private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();

    void add(Object one) {
        queue.add(one);
    }

    /** Returns the next object; fails when there is none for a while. */
    Object next() {
        try {
            Object one = queue.poll(AT_MOST_SECONDS, TimeUnit.SECONDS);
            if (one == null) {
                throw new AssertionError("received nothing");
            }
            return one;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    void clear() {
        queue.clear();
    }

    /** Returns what is there now, without waiting. */
    List<Object> received() {
        return new ArrayList<>(queue);
    }
}
