package outbox.testkit;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import outbox.spi.ConnectionProvider;

/** A pool of one connection without a server, which records what was done to it. */
public final class FakeConnections implements ConnectionProvider {

    private final List<String> calls = new ArrayList<>();
    private boolean autoCommit;
    private int isolation;

    public FakeConnections(boolean autoCommit, int isolation) {
        this.autoCommit = autoCommit;
        this.isolation = isolation;
    }

    public List<String> calls() {
        return List.copyOf(calls);
    }

    public boolean autoCommit() {
        return autoCommit;
    }

    public int isolation() {
        return isolation;
    }

    @Override
    public Connection getConnection() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, args) -> call(method.getName(), args == null ? new Object[0] : args));
    }

    private Object call(String method, Object[] args) {
        switch (method) {
            case "getAutoCommit" -> {
                return autoCommit;
            }
            case "getTransactionIsolation" -> {
                return isolation;
            }
            case "setAutoCommit" -> autoCommit = (boolean) args[0];
            case "setTransactionIsolation" -> isolation = (int) args[0];
            default -> calls.add(method);
        }
        return Void.TYPE;
    }
}
