package outbox.jdbc;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;

class PostgresVanishedDatabaseIT extends VanishedDatabase {

    @Override
    DatabaseServer server() {
        return DevServices.postgres();
    }
}
