package catbox.console;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import outbox.admin.Request;
import outbox.admin.view.Done;
import outbox.model.Selection;

/** What would be done, counted by a dry run, before it is done to many events or cannot be undone. */
@Controller
final class ConfirmPages implements Page {

    private static final String DRY_RUN = "dry run";

    @GetMapping("/confirm/replay")
    String replay(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @ModelAttribute("filter") FilterForm filter,
            @RequestParam(name = "id", defaultValue = "") List<String> ids,
            @RequestParam(defaultValue = "/dead") String back,
            Model model) {
        Selection selection = filter.selection(ids);
        Done would = shell.admin().replay(new Request.Replay(selection, true, null));
        return confirm(new Question("replay", inWords(selection), would, filter.fields()), ids, back, model);
    }

    @GetMapping("/confirm/discard")
    String discard(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @ModelAttribute("filter") FilterForm filter,
            @RequestParam(name = "id", defaultValue = "") List<String> ids,
            @RequestParam(defaultValue = "/dead") String back,
            Model model) {
        Selection selection = filter.selection(ids);
        Done would = shell.admin().discard(new Request.Discard(selection, true, DRY_RUN));
        return confirm(new Question("discard", inWords(selection), would, filter.fields()), ids, back, model);
    }

    @GetMapping("/confirm/resend")
    String resend(
            @ModelAttribute(name = "shell", binding = false) Shell shell,
            @ModelAttribute("resend") ResendForm form,
            Model model) {
        Done would = shell.admin().resend(form.request(form.behind(), true));
        return confirm(
                new Question("resend", form.inWords(), would, form.fields()), List.of(), shell.at("/resend"), model);
    }

    @GetMapping("/confirm/purge")
    String purge(@ModelAttribute(name = "shell", binding = false) Shell shell, @RequestParam String days, Model model) {
        Done would = shell.admin().purge(new Request.Purge(days(days), true));
        return confirm(
                new Question("purge", "done events older than " + days + " days", would, Map.of("days", days)),
                List.of(),
                shell.at("/purge"),
                model);
    }

    private static String inWords(Selection selection) {
        return switch (selection) {
            case Selection.Ids ids -> ids.toString();
            case Selection.Matching matching -> matching.filter().inWords();
        };
    }

    static Duration days(String text) {
        try {
            return Duration.parse("P" + text.strip() + "D");
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("A number of days is a whole number; was \"" + text + "\".", e);
        }
    }

    /**
     * What a person is asked.
     *
     * @param operation that would be done, in its word
     * @param subject to what
     * @param would what the dry run says
     * @param fields that say the same again when it is done
     */
    public record Question(String operation, String subject, Done would, Map<String, String> fields) {

        public Question {
            fields = new LinkedHashMap<>(fields);
        }

        public boolean destroys() {
            return operation.equals("discard") || operation.equals("purge");
        }

        public boolean asksWhy() {
            return operation.equals("discard") || operation.equals("replay");
        }
    }

    private static String confirm(Question question, List<String> ids, String back, Model model) {
        model.addAttribute("question", question);
        model.addAttribute("ids", ids);
        model.addAttribute("back", Links.back(back));
        return "console/confirm";
    }
}
