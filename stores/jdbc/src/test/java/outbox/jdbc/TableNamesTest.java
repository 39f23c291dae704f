package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableNamesTest {

    @Test
    void namesTheOtherTablesAfterTheEventTable() {
        assertThat(new TableNames("outbox_event").meta()).isEqualTo("outbox_meta");
        assertThat(new TableNames("billing.outbox_event").meta()).isEqualTo("billing.outbox_meta");
        assertThat(new TableNames("messages").meta()).isEqualTo("messages_meta");
        TableNames tables = new TableNames("billing.outbox_event");
        assertThat(List.of(
                        tables.node(),
                        tables.slot(),
                        tables.attempt(),
                        tables.delivery(),
                        tables.hold(),
                        tables.audit(),
                        tables.auditEvent(),
                        tables.original()))
                .containsExactly(
                        "billing.outbox_node",
                        "billing.outbox_slot",
                        "billing.outbox_attempt",
                        "billing.outbox_delivery",
                        "billing.outbox_hold",
                        "billing.outbox_audit",
                        "billing.outbox_audit_event",
                        "billing.outbox_original");
    }

    @Test
    void letsNothingThroughThatIsNotAPlainName() {
        for (String name : List.of(
                "",
                " ",
                "outbox event",
                "outbox;DROP TABLE orders",
                "outbox--",
                "\"outbox\"",
                "`outbox`",
                "1outbox",
                "a.b.c",
                ".outbox",
                "outbox.",
                "öutbox",
                "o'utbox",
                "a".repeat(49),
                "outbox\n")) {
            assertThatThrownBy(() -> new TableNames(name))
                    .describedAs("table name <%s>", name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("letters, digits and underscores")
                    .hasMessageContaining("\"" + name + "\"");
        }
    }
}
