package catbox.bench.contender;

import java.util.Map;

/**
 * The environment of a contender.
 *
 * @param database its own
 * @param topic its own
 * @param variant selects one of a program's contenders
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

    /** Returns the arguments that {@link #of} parses. */
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
