package outbox.jdbc;

import catbox.devservices.DatabaseServer;
import catbox.devservices.MySqlServer;

class MySqlRestartedServerIT extends RestartedServer {

    @Override
    DatabaseServer start() {
        TestDatabase.requireMySql();
        return MySqlServer.start();
    }
}
