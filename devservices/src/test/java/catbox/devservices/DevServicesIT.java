package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DevServicesIT {

    @Test
    void givesAllThreadsTheSameServer() {
        List<CompletableFuture<DatabaseServer>> askers = Stream.generate(
                        () -> CompletableFuture.supplyAsync(DevServices::postgres, Thread::startVirtualThread))
                .limit(8)
                .toList();

        Set<DatabaseServer> servers =
                askers.stream().map(CompletableFuture::join).collect(Collectors.toSet());

        assertThat(servers).hasSize(1);
    }

    @Test
    void givesAServerOfEachKind() throws Exception {
        assertThat(new Sql(DevServices.mariaDb(), DevServices.mariaDb().jdbcUrl()).number("select 1"))
                .isEqualTo(1);
        assertThat(DevServices.mariaDb().port())
                .isNotEqualTo(DevServices.postgres().port());
    }
}
