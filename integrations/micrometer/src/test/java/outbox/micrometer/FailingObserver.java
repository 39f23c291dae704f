package outbox.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;

/** Fails at one step of every observation. */
record FailingObserver(Step step) implements ObservationHandler<Observation.Context> {

    /** The notifications that an observer receives. */
    enum Step {
        START,
        SCOPE_OPENED,
        SCOPE_CLOSED,
        ERROR,
        STOP
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }

    @Override
    public void onStart(Observation.Context context) {
        failAt(Step.START);
    }

    @Override
    public void onScopeOpened(Observation.Context context) {
        failAt(Step.SCOPE_OPENED);
    }

    @Override
    public void onScopeClosed(Observation.Context context) {
        failAt(Step.SCOPE_CLOSED);
    }

    @Override
    public void onError(Observation.Context context) {
        failAt(Step.ERROR);
    }

    @Override
    public void onStop(Observation.Context context) {
        failAt(Step.STOP);
    }

    private void failAt(Step current) {
        if (step == current) {
            throw new IllegalStateException("the observer fails at " + step);
        }
    }
}
