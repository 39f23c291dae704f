package catbox.console;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause;

/**
 * What the buttons do. Each goes back to a page, which says what was done. What destroys is done only with the mark that
 * the confirm page sets.
 */
@Controller
@RequestMapping("/do")
final class OperationPages implements Page {

    @PostMapping("/replay")
    String replay(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @ModelAttribute("filter") FilterForm filter,
            @RequestParam MultiValueMap<String, String> parameters,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        Selection selection = filter.selection(FilterForm.ids(parameters));
        String why = answer.why().isEmpty() ? null : answer.why();
        OperationResult done = Chunks.all(
                answer.behind(), after -> shell.admin().run(new Request.Replay(selection, false, why, after)));
        return answer.with(done, shell.at("/confirm/replay", filter.parameters()), redirect);
    }

    @PostMapping("/discard")
    String discard(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @ModelAttribute("filter") FilterForm filter,
            @RequestParam MultiValueMap<String, String> parameters,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        answer.requireConfirmed("Discarding");
        Selection selection = filter.selection(FilterForm.ids(parameters));
        OperationResult done = Chunks.all(
                answer.behind(),
                after -> shell.admin().run(new Request.Discard(selection, false, answer.why(), after)));
        return answer.with(done, shell.at("/confirm/discard", filter.parameters()), redirect);
    }

    @PostMapping("/edit")
    String edit(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam String id,
            @ModelAttribute("change") EditForm change,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        answer.requireConfirmed("Editing");
        return answer.with(
                shell.admin().run(new Request.Edit(id, change.edit(), change.replays(), answer.why())), redirect);
    }

    @PostMapping("/pause")
    String pause(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam String kind,
            @RequestParam(defaultValue = "") String name,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        return answer.with(shell.admin().run(new Request.Pause(subject(kind, name), answer.why())), redirect);
    }

    @PostMapping("/resume")
    String resume(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam String kind,
            @RequestParam(defaultValue = "") String name,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        return answer.with(shell.admin().run(new Request.Resume(subject(kind, name))), redirect);
    }

    @PostMapping("/resend")
    String resend(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @ModelAttribute("resend") ResendForm form,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        OperationResult done =
                Chunks.all(answer.behind(), after -> shell.admin().run(form.request(after, false)));
        return answer.with(done, shell.at("/confirm/resend", form.parameters()), redirect);
    }

    @PostMapping("/drain")
    String drain(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam String node,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        return answer.with(shell.admin().run(new Request.Drain(node, answer.why())), redirect);
    }

    @PostMapping("/rebalance")
    String rebalance(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam(required = false) @Nullable Integer partitions,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        return answer.with(shell.admin().run(new Request.Rebalance(partitions)), redirect);
    }

    @PostMapping("/purge")
    String purge(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam String days,
            ConfirmForm answer,
            RedirectAttributes redirect) {
        answer.requireConfirmed("Purging");
        Request.Purge request = new Request.Purge(ConfirmPages.days(days), false);
        return answer.with(Chunks.all(null, next -> shell.admin().run(request)), redirect);
    }

    /**
     * What an edit changes; what is left empty stays as it is.
     *
     * @param shown the headers as the form showed them, so that none means none, and what nobody touched stays as it
     *     is even if it cannot be written in lines; null where it showed none
     */
    public record EditForm(
            @Nullable String payload,
            @Nullable String headers,
            @Nullable String shown,
            @Nullable String replay) {

        EventEdit edit() {
            String lines = lines(headers);
            String json = lines(payload);
            return new EventEdit(
                    json.isBlank() ? null : json,
                    lines.strip().equals(lines(shown).strip()) ? null : DestinationPages.parsed(lines));
        }

        // Browsers end lines as mail does.
        private static String lines(@Nullable String text) {
            return text == null ? "" : text.replace("\r\n", "\n").replace('\r', '\n');
        }

        boolean replays() {
            return replay != null;
        }
    }

    private static Pause.Subject subject(String kind, String name) {
        try {
            return new Pause.Subject(Pause.Kind.valueOf(kind.toUpperCase(Locale.ROOT)), name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "One can pause a source, route, destination, partition, key or node; was " + kind + " \"" + name
                            + "\".",
                    e);
        }
    }
}
