package catbox.bench.contender;

import java.util.Map;

/**
 * Where a contender runs.
 *
 * @param database one of its own
 * @param topic one of its own
 * @param variant which of several ways of the same program
 * @param node the name of this process among several on the same database
 */
public record Place(Database database, Topic topic, String variant, String node) {

    public record Database(String url, String user) {}

    public record Topic(String bootstrapServers, String name) {}

    static Place of(String[] args) {
        Map<String, String> words = Words.of(args);
        return new Place(
                new Database(Words.required(words, "url"), Words.required(words, "user")),
                new Topic(Words.required(words, "kafka"), Words.required(words, "topic")),
                Words.required(words, "variant"),
                Words.required(words, "node"));
    }

    /** The arguments that {@link #of} reads. */
    public String[] words() {
        return new String[] {
            "url=" + database.url(),
            "user=" + database.user(),
            "kafka=" + topic.bootstrapServers(),
            "topic=" + topic.name(),
            "variant=" + variant,
            "node=" + node
        };
    }
}
