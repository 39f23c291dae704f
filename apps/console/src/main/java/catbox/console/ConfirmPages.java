package catbox.console;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import outbox.spi.operations.Selection;

/** What would be done, counted by a dry run, before it is done to many events or cannot be undone. */
@Controller
final class ConfirmPages implements Page {

    private static final String DRY_RUN = "dry run";

    @GetMapping("/confirm/replay")
    String replay(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @ModelAttribute("filter") FilterForm filter,
            @RequestParam MultiValueMap<String, String> parameters,
            ConfirmForm answer,
            Model model) {
        Selection selection = filter.selection(FilterForm.ids(parameters));
        OperationResult would = shell.admin().run(new Request.Replay(selection, true, null, answer.behind()));
        return confirm(new Question("replay", selection, would, filter.fields(), answer.behind()), answer, model);
    }

    @GetMapping("/confirm/discard")
    String discard(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @ModelAttribute("filter") FilterForm filter,
            @RequestParam MultiValueMap<String, String> parameters,
            ConfirmForm answer,
            Model model) {
        Selection selection = filter.selection(FilterForm.ids(parameters));
        OperationResult would = shell.admin().run(new Request.Discard(selection, true, DRY_RUN, answer.behind()));
        return confirm(new Question("discard", selection, would, filter.fields(), answer.behind()), answer, model);
    }

    @GetMapping("/confirm/resend")
    String resend(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @ModelAttribute("resend") ResendForm form,
            ConfirmForm answer,
            Model model) {
        OperationResult would = shell.admin().run(form.request(answer.behind(), true));
        return confirm(
                new Question("resend", form.inWords(), List.of(), would, form.fields(), answer.behind()),
                answer.to(shell.at("/resend")),
                model);
    }

    @GetMapping("/confirm/purge")
    String purge(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam String days,
            ConfirmForm answer,
            Model model) {
        OperationResult would = shell.admin().run(new Request.Purge(days(days), true));
        return confirm(
                new Question(
                        "purge",
                        "done events older than " + days + " days",
                        List.of(),
                        would,
                        Map.of("days", days),
                        null),
                answer.to(shell.at("/purge")),
                model);
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
     * @param ids of the events, if they were chosen by hand
     * @param would what the dry run says
     * @param fields that say the same again when it is done
     * @param after where it goes on, when a part of it is done already; null at the beginning
     */
    public record Question(
            String operation,
            String subject,
            List<String> ids,
            OperationResult would,
            Map<String, String> fields,
            @Nullable String after) {

        public Question {
            fields = new LinkedHashMap<>(fields);
        }

        Question(
                String operation,
                Selection selection,
                OperationResult would,
                Map<String, String> fields,
                @Nullable String after) {
            this(operation, inWords(selection), ids(selection), would, fields, after);
        }

        private static String inWords(Selection selection) {
            return switch (selection) {
                case Selection.Ids ids -> ids.toString();
                case Selection.Matching matching -> matching.filter().inWords();
            };
        }

        private static List<String> ids(Selection selection) {
            return selection instanceof Selection.Ids chosen ? chosen.eventIds() : List.of();
        }

        /** When it goes on in the middle, what is left is not counted beforehand. */
        public boolean isSomething() {
            return would.changed() > 0 || would.more();
        }

        public boolean destroys() {
            return operation.equals("discard") || operation.equals("purge");
        }

        public boolean asksWhy() {
            return operation.equals("discard") || operation.equals("replay");
        }
    }

    private static String confirm(Question question, ConfirmForm answer, Model model) {
        model.addAttribute("question", question);
        model.addAttribute("reason", answer.why());
        model.addAttribute("back", Links.back(answer.back() == null ? "/dead" : answer.back()));
        return "console/confirm";
    }
}
