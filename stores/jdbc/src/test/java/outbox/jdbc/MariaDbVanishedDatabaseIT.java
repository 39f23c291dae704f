package outbox.jdbc;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;

class MariaDbVanishedDatabaseIT extends VanishedDatabase {

    @Override
    DatabaseServer server() {
        return DevServices.mariaDb();
    }
}
