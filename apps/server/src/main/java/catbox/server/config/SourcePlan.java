package catbox.server.config;

import java.util.Map;
import outbox.relay.config.RelaySettings;
import outbox.spi.Settings;

/**
 * A source: a table or collection to relay events from.
 *
 * @param enabled whether this server relays it
 * @param paused whether delivery is paused
 * @param values all settings as they were given, which may hold secrets
 */
public record SourcePlan(
        String name,
        DatabasePlan database,
        TablePlan table,
        RelaySettings relay,
        boolean enabled,
        boolean paused,
        Map<String, String> values) {

    /** What the server does about tables or collections that are missing or old. */
    public enum Schema {
        /** It refuses them, and its error names the remedy. */
        CHECK,
        /** It creates them or brings them up to date. */
        INSTALL
    }

    /** How the relay learns of commits by other processes. */
    public enum WakeUps {
        /** By notifications if the database has them, and by polling. */
        AUTO,
        /** By polling only. */
        OFF
    }

    /** How the server treats the table or collection. */
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
            settings.requireAllKnown(); // Before what is required, so that a misspelt name is reported.
            DatabasePlan database = DatabasePlan.read(settings, relay.workers());
            return new SourcePlan(settings.name(), database, table, relay, enabled, paused, Map.copyOf(values));
        });
    }

    /** Whether the two differ only in the pause. */
    boolean equalsExceptPause(SourcePlan other) {
        return Routing.differOnlyInPause(values, other.values);
    }

    /** Whether the relay listens for notifications. */
    public boolean listens() {
        return table.wakeUps() == WakeUps.AUTO && database.notifiesOfCommits();
    }

    /** Omits the values, which may hold secrets. */
    @Override
    public String toString() {
        return "source " + name + " at " + database;
    }
}
