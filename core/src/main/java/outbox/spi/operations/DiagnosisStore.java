package outbox.spi.operations;

import java.util.List;

/** Finds faults in a store and around it: tables, indexes, clocks, foreign transactions. */
public interface DiagnosisStore {

    /** The current faults in any order. An unreachable store, or one without tables, is a finding and no exception. */
    List<Finding> findings();
}
