package outbox.jdbc;

import catbox.devservices.DatabaseServer;
import catbox.devservices.MariaDbServer;

class MariaDbRestartedServerIT extends RestartedServer {

    @Override
    DatabaseServer start() {
        return MariaDbServer.start();
    }
}
