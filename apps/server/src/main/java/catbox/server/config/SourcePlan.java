package catbox.server.config;

import java.util.Map;
import outbox.relay.config.RelaySettings;
import outbox.spi.Settings;

/**
 * A table, or a collection, to relay events from.
 *
 * @param enabled whether it is worked on at all
 * @param paused whether nothing of it is delivered for now
 * @param values all settings as they were given; may hold secrets
 */
public record SourcePlan(
        String name,
        DatabasePlan database,
        TablePlan table,
        RelaySettings relay,
        boolean enabled,
        boolean paused,
        Map<String, String> values) {

    /** What is done about tables or collections that are missing or old. */
    public enum Schema {
        /** They are refused, with what to do. */
        CHECK,
        /** They are made, or brought up to date. */
        INSTALL
    }

    /** How the relay learns of commits elsewhere. */
    public enum WakeUps {
        /** By notifications where the database has them, and by looking. */
        AUTO,
        /** By looking alone. */
        OFF
    }

    /** How the table, or the collection, is treated. */
    public record TablePlan(Schema schema, WakeUps wakeUps) {}

    static SourcePlan read(Settings settings, Map<String, String> values, String nodeId) {
        return settings.checked(() -> {
            RelaySettings relay = RelaySettings.read(settings, nodeId);
            TablePlan table = new TablePlan(
                    settings.oneOf("schema", Schema.class, Schema.CHECK),
                    settings.oneOf("wake-up", WakeUps.class, WakeUps.AUTO));
            boolean enabled = settings.flag("enabled", true);
            boolean paused = settings.flag("paused", false);
            DatabasePlan.SETTINGS.forEach(settings::text);
            settings.requireAllKnown(); // Before what is required, so that a misspelt name is told as such.
            DatabasePlan database = DatabasePlan.read(settings, relay.workers());
            return new SourcePlan(settings.name(), database, table, relay, enabled, paused, Map.copyOf(values));
        });
    }

    /** Whether nothing but the pause differs. */
    boolean worksAlike(SourcePlan other) {
        return Routing.differOnlyInPause(values, other.values);
    }

    /** Whether the relay listens for notifications. */
    public boolean listens() {
        return table.wakeUps() == WakeUps.AUTO && database.tellsOfCommits();
    }

    /** Without the values: there may be secrets among them. */
    @Override
    public String toString() {
        return "source " + name + " at " + database;
    }
}
