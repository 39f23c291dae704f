package catbox.cli.connection;

import java.util.List;
import outbox.mongodb.MongoSchema;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/** The collections of an outbox in MongoDB. */
record MongoSchemaTool(MongoSchema schema, String collection) implements Schema {

    @Override
    public String print() {
        return String.join("\n", schema.print());
    }

    @Override
    public void check() {
        schema.check();
    }

    @Override
    public List<String> missing() {
        String problem = problem();
        return problem == null
                ? List.of()
                : List.of("make what is missing of collection " + collection + ": " + problem);
    }

    @Override
    public SearchIndexes searchIndexes() {
        return schema.searchIndexes();
    }

    @Override
    public void migrate(boolean searchIndexes) {
        schema.install();
        if (searchIndexes) {
            schema.createSearchIndexes();
        }
    }
}
