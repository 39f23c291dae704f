package outbox.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A connection that keeps its settings, notes what changes them or ends a transaction, and fails where it is told. */
public final class FakeConnection implements InvocationHandler {

    public final List<String> calls = new ArrayList<>();
    final Set<String> failing = new HashSet<>();
    public boolean autoCommit = true;
    public int isolation = Connection.TRANSACTION_READ_COMMITTED;
    public boolean closed;

    public final Connection connection =
            (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Connection.class}, this);

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws SQLException {
        String name = method.getName();
        if (!name.startsWith("get")) {
            calls.add(args == null ? name : name + " " + args[0]);
        }
        if (failing.contains(name)) {
            throw new SQLException(name + " failed");
        }
        switch (name) {
            case "setAutoCommit" -> autoCommit = (boolean) args[0];
            case "setTransactionIsolation" -> isolation = (int) args[0];
            case "close" -> closed = true;
            default -> {}
        }
        return switch (name) {
            case "getAutoCommit" -> autoCommit;
            case "getTransactionIsolation" -> isolation;
            case "setAutoCommit", "setTransactionIsolation", "commit", "rollback", "close" -> null;
            default -> throw new UnsupportedOperationException(name);
        };
    }
}
