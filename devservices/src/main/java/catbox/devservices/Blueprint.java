package catbox.devservices;

import java.util.List;

/** All that is needed to run one server whose data folder is ready. */
record Blueprint(String name, Engine engine, int port, Login login, List<String> command) {

    /**
     * How a client gets in. The password is empty everywhere.
     *
     * @param jdbcScheme what stands between {@code jdbc:} and the address
     * @param database a database that is there from the start
     */
    record Login(String jdbcScheme, String user, String database) {}

    Blueprint {
        command = List.copyOf(command);
    }

    String jdbcUrl(String database) {
        return "jdbc:" + login.jdbcScheme() + "://127.0.0.1:" + port + "/" + database;
    }
}
