package outbox.spi.operations;

import java.util.List;

/** Looks for what is wrong in a store and around it: tables, indexes, clocks, other people's transactions. */
public interface DiagnosisStore {

    /**
     * What is wrong now, in no particular order. A store that cannot be reached or has no tables is a finding too, not
     * an exception.
     */
    List<Finding> findings();
}
