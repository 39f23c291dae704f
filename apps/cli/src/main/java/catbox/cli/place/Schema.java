package catbox.cli.place;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.SchemaException;

/** The tables or collections of an outbox, as they are set up. */
public interface Schema {

    /** What sets it all up, for another migration tool. */
    String print();

    /** What is missing or wrong, and what to do; null when everything is as it should be. */
    @Nullable
    String problem();

    /**
     * What migrating would do, in words; empty when there is nothing to do.
     *
     * @param searchIndexes whether the indexes that only searches use are wanted
     */
    List<String> missing(boolean searchIndexes);

    /** What is wrong, with what to do here instead of what an application would do. */
    static String advice(SchemaException wrong) {
        String said = String.valueOf(wrong.getMessage());
        int call = said.indexOf(" Call new ");
        return call < 0 ? said : said.substring(0, call) + " Run \"catbox schema migrate\".";
    }

    /** Does that. */
    void migrate(boolean searchIndexes);
}
