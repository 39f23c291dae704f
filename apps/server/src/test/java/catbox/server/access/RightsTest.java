package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.admin.Operation;
import outbox.admin.OutboxAdmin;
import outbox.admin.Request;
import outbox.admin.Role;
import outbox.spi.relay.Pause;

class RightsTest {

    private static final Pause.Subject SOURCE = new Pause.Subject(Pause.Kind.SOURCE, "");
    private static final OutboxAdmin ANYTHING = (OutboxAdmin) Proxy.newProxyInstance(
            OutboxAdmin.class.getClassLoader(), new Class<?>[] {OutboxAdmin.class}, (proxy, method, arguments) -> null);

    @ParameterizedTest
    @EnumSource(Operation.class)
    void everyMethodIsRefusedToWhoHasNotItsRole(Operation operation) throws Exception {
        for (Role role : Role.values()) {
            boolean allowed = operation != Operation.REVEAL && role.includes(operation.role());
            assertThat(gets(operation, new Rights(role, false)))
                    .describedAs("%s as %s", operation, role)
                    .isEqualTo(allowed);
        }
        assertThat(gets(operation, new Rights(null, true))).isFalse();
    }

    @Test
    void payloadsNeedTheirOwnRight() throws Exception {
        assertThat(gets(Operation.REVEAL, new Rights(Role.ADMIN, false))).isFalse();
        assertThat(gets(Operation.REVEAL, new Rights(Role.VIEWER, true))).isTrue();
        assertThatThrownBy(() -> new Principal("anna", new Rights(Role.ADMIN, false)).require(Operation.REVEAL))
                .hasMessage("\"reveal\" needs the right payload-read, which anna does not have");
    }

    @Test
    void theHighestRoleCounts() {
        assertThat(Rights.ofNames(Set.of("catbox-viewer", "catbox-operator", "offline_access")))
                .isEqualTo(new Rights(Role.OPERATOR, false));
        assertThat(Rights.ofNames(Set.of("admin", "catbox-payload-read"))).isEqualTo(new Rights(null, true));
    }

    @Test
    void aNodeIsDrainedByWhoMayDrainWhicheverWayHeAsks() {
        Pause.Subject node = new Pause.Subject(Pause.Kind.NODE, "node-1");
        OutboxAdmin operator = new GuardedAdmin(ANYTHING, new Principal("anna", new Rights(Role.OPERATOR, false)));
        OutboxAdmin admin = new GuardedAdmin(ANYTHING, new Principal("bert", new Rights(Role.ADMIN, false)));
        Request.Pause request = new Request.Pause(node, "upgrade");
        assertThatThrownBy(() -> operator.pause(request)).isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> operator.resume(node)).isInstanceOf(ForbiddenException.class);
        assertThatCode(() -> admin.pause(request)).doesNotThrowAnyException();
        assertThatCode(() -> admin.resume(node)).doesNotThrowAnyException();
    }

    private static Object[] arguments(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == Request.Pause.class
                        ? new Request.Pause(SOURCE, "why")
                        : type == Pause.Subject.class ? SOURCE : null)
                .toArray();
    }

    private static boolean gets(Operation operation, Rights rights) throws Exception {
        OutboxAdmin guarded = new GuardedAdmin(ANYTHING, new Principal("anna", rights));
        for (Method method : OutboxAdmin.class.getMethods()) {
            if (method.getName().equals(operation.word())) {
                try {
                    method.invoke(guarded, arguments(method));
                    return true;
                } catch (InvocationTargetException e) {
                    assertThat(e.getCause()).isInstanceOf(ForbiddenException.class);
                    return false;
                }
            }
        }
        throw new AssertionError("OutboxAdmin has no method for " + operation);
    }
}
