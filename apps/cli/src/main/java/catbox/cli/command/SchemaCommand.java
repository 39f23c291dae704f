package catbox.cli.command;

import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.Database;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "schema", description = "The tables or collections of an outbox: prints, checks or migrates them.")
final class SchemaCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "say what to do: print, check or migrate");
        }
    }

    @Command(name = "print", description = "What sets up the tables, for another migration tool.")
    static final class PrintCommand implements Callable<Integer> {

        private final Desk desk;

        @Option(
                names = "--for",
                paramLabel = "DATABASE",
                description = "postgresql, mysql, mariadb or h2, without asking one")
        private @Nullable Database database;

        PrintCommand(Desk desk) {
            this.desk = desk;
        }

        @Override
        public Integer call() {
            String table = desk.options().table();
            String sql = database == null
                    ? desk.schema().print()
                    : SchemaInstaller.print(database, table == null ? TableNames.DEFAULT : new TableNames(table));
            return desk.show(Map.of("schema", sql), () -> desk.screen().print(sql));
        }
    }

    @Command(name = "check", description = "Whether the tables are there and of this version. Ends with 1 if not.")
    static final class CheckCommand implements Callable<Integer> {

        private final Desk desk;

        CheckCommand(Desk desk) {
            this.desk = desk;
        }

        @Override
        public Integer call() {
            String problem = desk.schema().problem();
            desk.show(
                    problem == null ? Map.of("ok", true) : Map.of("ok", false, "problem", problem),
                    () -> desk.screen().print(problem == null ? "The schema is as it should be." : problem));
            return problem == null ? ExitCode.OK : ExitCode.WRONG;
        }
    }
}
