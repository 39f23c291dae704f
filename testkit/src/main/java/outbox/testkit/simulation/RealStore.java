package outbox.testkit.simulation;

import java.time.Duration;
import outbox.testkit.SimulatedStore;

/**
 * A real database, whose clock nobody can set. So when the world's time goes on, what the database has written down is
 * moved the other way: a lease of ten seconds is over at once if its begin is moved ten seconds back.
 */
public interface RealStore extends SimulatedStore {

    /**
     * Makes everything that counts by the store's clock older by so much: leases of nodes and claims, and when events
     * come due. What is negative makes it younger. Leaves alone what open transactions have written.
     */
    void pass(Duration time);
}
