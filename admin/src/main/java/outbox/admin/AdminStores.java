package outbox.admin;

import outbox.spi.ClusterAdmin;
import outbox.spi.DiagnosisStore;
import outbox.spi.OperatorStore;
import outbox.spi.RetentionStore;
import outbox.spi.StatisticsStore;

/** The ports of one source that operations are made of. */
public record AdminStores(
        OperatorStore events,
        ClusterAdmin cluster,
        StatisticsStore statistics,
        RetentionStore retention,
        DiagnosisStore diagnosis) {}
