package catbox.cli.command;

import java.util.concurrent.Callable;
import outbox.admin.view.Done;
import outbox.model.Hold;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "resume", description = "Lets go on what was paused or drained.")
final class ResumeCommand implements Callable<Integer> {

    private final Desk desk;

    @Mixin
    private final HoldSubject held = new HoldSubject();

    ResumeCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Hold.Subject subject = held.subject();
        Done done = desk.admin().resume(subject);
        return desk.show(done, () -> desk.screen().print(done.says()));
    }
}
