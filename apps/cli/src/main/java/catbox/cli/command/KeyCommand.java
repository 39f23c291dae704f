package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import java.util.concurrent.Callable;
import outbox.admin.view.KeyView;
import outbox.model.Hold;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "key", description = "A key's lane, and why it does not move.")
final class KeyCommand implements Callable<Integer> {

    private final Desk desk;

    @Parameters(paramLabel = "KEY", description = "the ordering key")
    private String key = "";

    KeyCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        KeyView view = desk.admin().key(key);
        return desk.show(view, () -> print(view));
    }

    private void print(KeyView view) {
        Screen screen = desk.screen();
        Hold hold = view.hold();
        new Facts()
                .add("key", view.key())
                .add("partition", view.partition())
                .add("owner", view.owner() == null ? "none" : view.owner())
                .add("on hold", hold == null ? null : "by " + hold.by() + ": " + hold.reason(), Screen.Colour.DOUBTFUL)
                .add(
                        "pending",
                        (view.more() ? "more than " : "") + view.pending().size())
                .add("dead", view.dead().size())
                .print(screen);
        screen.print("");
        if (view.reasons().isEmpty()) {
            screen.print("Nothing is in its way.");
        }
        view.reasons().forEach(reason -> screen.print(Lines.single(reason)));
        if (!view.pending().isEmpty()) {
            screen.print("");
            EventTable.of(view.pending(), desk.times()).print(screen);
        }
        if (!view.dead().isEmpty()) {
            screen.print("");
            EventTable.of(view.dead(), desk.times()).print(screen);
        }
    }
}
