package outbox.admin;

import outbox.spi.RetentionStore;
import outbox.spi.operations.DiagnosisStore;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.ClusterAdmin;

/** The ports of one source that operations use. */
public record AdminStores(
        OperatorStore events,
        ClusterAdmin cluster,
        StatisticsStore statistics,
        RetentionStore retention,
        DiagnosisStore diagnosis) {}
