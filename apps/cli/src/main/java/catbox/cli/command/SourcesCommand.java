package catbox.cli.command;

import catbox.cli.output.Table;
import catbox.cli.place.Opening.SourceState;
import catbox.cli.place.Place;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "sources", description = "The sources of a server.")
final class SourcesCommand implements Callable<Integer> {

    private final Desk desk;

    SourcesCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        if (!(desk.places().read(desk.options()) instanceof Place.Server server)) {
            throw new IllegalArgumentException("a database has no sources, but tables: see --table");
        }
        List<SourceState> sources = desk.opening().sources(server);
        return desk.show(sources, () -> {
            Table table = new Table("source", "state", "problem");
            sources.forEach(source -> table.row(source.name(), source.state(), source.problem()));
            table.print(desk.screen());
        });
    }
}
