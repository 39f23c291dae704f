package catbox.console;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import outbox.admin.Request;
import outbox.admin.view.Done;
import outbox.model.EventEdit;
import outbox.model.Hold;

/**
 * What the buttons do. Each goes back to a page, which says what was done. What destroys is done only with the mark that
 * the confirm page sets.
 */
@Controller
@RequestMapping("/do")
final class DoingController implements Page {

    /** One click changes so many chunks at most; what is left takes another. */
    private static final int CHUNKS_MAX = 20;

    @PostMapping("/replay")
    String replay(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @ModelAttribute("filter") FilterForm filter,
            @RequestParam(name = "id", defaultValue = "") List<String> ids,
            Answer answer,
            RedirectAttributes redirect) {
        Request.Replay request =
                new Request.Replay(filter.selection(ids), false, answer.why().isEmpty() ? null : answer.why());
        return answer.with(repeated(next -> shell.admin().replay(request)), redirect);
    }

    @PostMapping("/discard")
    String discard(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @ModelAttribute("filter") FilterForm filter,
            @RequestParam(name = "id", defaultValue = "") List<String> ids,
            Answer answer,
            RedirectAttributes redirect) {
        answer.requireConfirmed("Discarding");
        Request.Discard request = new Request.Discard(filter.selection(ids), false, answer.why());
        return answer.with(repeated(next -> shell.admin().discard(request)), redirect);
    }

    @PostMapping("/edit")
    String edit(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @RequestParam String id,
            @ModelAttribute("change") EditForm change,
            Answer answer,
            RedirectAttributes redirect) {
        answer.requireConfirmed("Editing");
        return answer.with(
                shell.admin().edit(new Request.Edit(id, change.edit(), change.replays(), answer.why())), redirect);
    }

    @PostMapping("/pause")
    String pause(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @RequestParam String kind,
            @RequestParam(defaultValue = "") String name,
            Answer answer,
            RedirectAttributes redirect) {
        return answer.with(shell.admin().pause(new Request.Pause(subject(kind, name), answer.why())), redirect);
    }

    @PostMapping("/resume")
    String resume(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @RequestParam String kind,
            @RequestParam(defaultValue = "") String name,
            Answer answer,
            RedirectAttributes redirect) {
        return answer.with(shell.admin().resume(subject(kind, name)), redirect);
    }

    @PostMapping("/resend")
    String resend(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @ModelAttribute("resend") ResendForm form,
            Answer answer,
            RedirectAttributes redirect) {
        Done done = repeated(next -> shell.admin().resend(form.request(next == null ? form.behind() : next, false)));
        if (done.more() && done.next() != null) {
            redirect.addFlashAttribute("said", done.says());
            return "redirect:" + shell.at("/confirm/resend", form.parameters(done.next()));
        }
        return answer.with(done, redirect);
    }

    @PostMapping("/drain")
    String drain(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @RequestParam String node,
            Answer answer,
            RedirectAttributes redirect) {
        return answer.with(shell.admin().drain(new Request.Drain(node, answer.why())), redirect);
    }

    @PostMapping("/rebalance")
    String rebalance(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @RequestParam(required = false) @Nullable Integer partitions,
            Answer answer,
            RedirectAttributes redirect) {
        return answer.with(shell.admin().rebalance(partitions), redirect);
    }

    @PostMapping("/purge")
    String purge(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @RequestParam String days,
            Answer answer,
            RedirectAttributes redirect) {
        answer.requireConfirmed("Purging");
        Request.Purge request = new Request.Purge(ConfirmPages.days(days), false);
        return answer.with(repeated(next -> shell.admin().purge(request)), redirect);
    }

    /** What an edit changes; what is left empty stays as it is. */
    public record EditForm(
            @Nullable String payload,
            @Nullable String headers,
            @Nullable String replay) {

        EventEdit edit() {
            Map<String, String> changed =
                    headers == null || headers.isBlank() ? null : DestinationPages.parsed(headers);
            return new EventEdit(payload == null || payload.isBlank() ? null : payload, changed);
        }

        boolean replays() {
            return replay != null;
        }
    }

    private static Hold.Subject subject(String kind, String name) {
        try {
            return new Hold.Subject(Hold.Kind.valueOf(kind.toUpperCase(Locale.ROOT)), name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "One can pause a source, route, destination, partition, key or node; was " + kind + " \"" + name
                            + "\".",
                    e);
        }
    }

    /** Asks again while there is more, a bounded number of times. */
    private static Done repeated(Function<@Nullable String, Done> chunk) {
        Done done = chunk.apply(null);
        long changed = done.changed();
        for (int chunks = 1; done.more() && done.changed() > 0 && chunks < CHUNKS_MAX; chunks++) {
            done = chunk.apply(done.next());
            changed += done.changed();
        }
        String says = changed == done.changed() ? done.says() : changed + " in all; the last of them: " + done.says();
        return new Done(changed, done.more(), false, done.next(), says);
    }
}
