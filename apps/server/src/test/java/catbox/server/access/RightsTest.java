package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.Parameters;
import outbox.admin.Role;
import outbox.spi.relay.Pause;

class RightsTest {

    private static final OutboxAdmin ANYTHING = (OutboxAdmin) Proxy.newProxyInstance(
            OutboxAdmin.class.getClassLoader(), new Class<?>[] {OutboxAdmin.class}, (proxy, method, arguments) -> null);

    @ParameterizedTest
    @EnumSource(Operation.class)
    void everyOperationNeedsItsRole(Operation operation) {
        for (Role role : Role.values()) {
            boolean allowed = operation != Operation.REVEAL && role.includes(operation.role());
            assertThat(isAllowed(operation, new Rights(role, false)))
                    .describedAs("%s as %s", operation, role)
                    .isEqualTo(allowed);
        }
        assertThat(isAllowed(operation, new Rights(null, true))).isFalse();
    }

    @Test
    void payloadsNeedTheirOwnRight() {
        assertThat(isAllowed(Operation.REVEAL, new Rights(Role.ADMIN, false))).isFalse();
        assertThat(isAllowed(Operation.REVEAL, new Rights(Role.VIEWER, true))).isTrue();
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
    void pausingOrResumingANodeNeedsTheRightToDrain() {
        Pause.Subject node = new Pause.Subject(Pause.Kind.NODE, "node-1");
        OutboxAdmin operator = new GuardedAdmin(ANYTHING, new Principal("anna", new Rights(Role.OPERATOR, false)));
        OutboxAdmin admin = new GuardedAdmin(ANYTHING, new Principal("bert", new Rights(Role.ADMIN, false)));
        Request.Pause request = new Request.Pause(node, "upgrade");
        assertThatThrownBy(() -> operator.run(request)).isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> operator.run(new Request.Resume(node))).isInstanceOf(ForbiddenException.class);
        assertThatCode(() -> admin.run(request)).doesNotThrowAnyException();
        assertThatCode(() -> admin.run(new Request.Resume(node))).doesNotThrowAnyException();
    }

    private static boolean isAllowed(Operation operation, Rights rights) {
        OutboxAdmin guarded = new GuardedAdmin(ANYTHING, new Principal("anna", rights));
        try {
            guarded.run(example(operation));
            return true;
        } catch (ForbiddenException e) {
            return false;
        }
    }

    private static Request<?> example(Operation operation) {
        Map<String, List<String>> texts = new HashMap<>(Map.of(
                "id", List.of("E1"),
                "kind", List.of("source"),
                "name", List.of(""),
                "node", List.of("node-1"),
                "older-than", List.of("P1D"),
                "payload", List.of("{}"),
                "destination", List.of("archive"),
                "reason", List.of("why")));
        if (operation == Operation.KEY) {
            texts.put("key", List.of("k"));
        }
        if (operation == Operation.RESEND) {
            texts.put("from", List.of("2026-01-01T00:00:00Z"));
            texts.put("before", List.of("2026-01-02T00:00:00Z"));
        }
        return Parameters.read(operation.requestType(), texts);
    }
}
