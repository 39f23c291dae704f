package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import outbox.admin.view.Payload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "reveal", description = "What an event carries. That somebody looked is written down.")
final class RevealCommand implements Callable<Integer> {

    private final Desk desk;

    @Parameters(paramLabel = "ID", description = "the event's id")
    private String id = "";

    RevealCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Payload payload = desk.admin().reveal(id);
        return desk.show(payload, () -> {
            print(payload);
            Payload original = payload.original();
            if (original != null) {
                desk.screen().print("");
                desk.screen().print("It was changed. Published was:");
                print(original);
            }
        });
    }

    private void print(Payload payload) {
        Screen screen = desk.screen();
        Facts headers = new Facts();
        new TreeMap<>(payload.headers()).forEach((name, value) -> headers.add(Lines.single(name), value));
        headers.print(screen);
        String json = payload.json();
        String base64 = payload.base64();
        if (json != null) {
            screen.print(Lines.plain(json));
        } else {
            screen.print(base64 == null ? "It carries nothing." : "Binary, in Base64: " + base64);
        }
    }
}
