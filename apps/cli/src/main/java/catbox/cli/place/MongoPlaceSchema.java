package catbox.cli.place;

import com.mongodb.client.MongoClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.SchemaException;
import outbox.mongodb.MongoSchema;
import outbox.spi.OperatorStore.SearchIndexes;

/** The collections of an outbox in MongoDB. */
record MongoPlaceSchema(Place.Mongo place) implements Schema {

    @Override
    public String print() {
        return with(schema -> String.join("\n", schema.print()));
    }

    @Override
    public @Nullable String problem() {
        try {
            with(schema -> {
                schema.check();
                return schema;
            });
            return null;
        } catch (SchemaException e) {
            return Schema.advice(e);
        }
    }

    @Override
    public List<String> missing(boolean searchIndexes) {
        List<String> steps = new ArrayList<>();
        String problem = problem();
        if (problem != null) {
            steps.add("make what is missing of collection " + place.collection() + ": " + problem);
        }
        if (searchIndexes
                && (problem != null
                        || !areWhole(with(schema -> schema.searchIndexes().present())))) {
            steps.add("make the indexes of searches by key and by type");
        }
        return steps;
    }

    private static boolean areWhole(SearchIndexes present) {
        return present.byKey() && present.byType();
    }

    @Override
    public void migrate(boolean searchIndexes) {
        with(schema -> {
            schema.install();
            if (searchIndexes) {
                schema.searchIndexes().create();
            }
            return schema;
        });
    }

    private <T> T with(Function<MongoSchema, T> use) {
        MongoConnection connection = new MongoConnection(place);
        try (MongoClient client = connection.client()) {
            return use.apply(new MongoSchema(connection.source(client)));
        }
    }
}
