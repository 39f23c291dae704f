package outbox.jdbc;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;

class MySqlVanishedDatabaseIT extends VanishedDatabase {

    @Override
    DatabaseServer server() {
        TestDatabase.requireMySql();
        return DevServices.mySql();
    }
}
