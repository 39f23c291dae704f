package catbox.console;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import outbox.admin.BulkRun;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.Parameters;
import outbox.admin.view.OperationResult;
import outbox.spi.TimeSource;
import outbox.spi.operations.Selection;

/**
 * What the buttons do. Every operation that changes something is asked for at {@code /do/} and its word, and what changes
 * many events is counted at {@code /confirm/} first. A form has the parameters of the request.
 */
@Controller
final class OperationPages implements Page {

    /** One click changes so many chunks at most, and begins none after so long; what is left takes another. */
    private static final int CHUNKS_MAX = 20;

    private static final Duration TIME_MAX = Duration.ofSeconds(20);

    /** Every operation, with its form. */
    @GetMapping("/operations")
    String operations(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        model.addAttribute(
                "operations",
                Arrays.stream(Operation.values()).filter(shell.rights()::may).toList());
        return "console/operations";
    }

    /** The form of one operation, which has the parameters of its request; and for one that shows, its result. */
    @GetMapping("/operation/{word}")
    String operation(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @PathVariable String word,
            @RequestParam MultiValueMap<String, String> form,
            Model model) {
        Operation operation = operation(word);
        boolean sees = operation.kind() == Operation.Kind.SEE;
        boolean counts = Request.Bulk.class.isAssignableFrom(operation.requestType());
        List<Parameters.Parameter> parameters = Parameters.of(operation.requestType());
        model.addAttribute("operation", operation);
        model.addAttribute("parameters", parameters);
        model.addAttribute("method", sees || counts ? "get" : "post");
        model.addAttribute("action", sees ? "/operation/" + word : (counts ? "/confirm/" : "/do/") + word);
        if (sees && parameters.stream().allMatch(each -> !each.required() || form.containsKey(each.name()))) {
            Object result = shell.admin().run(request(operation, form));
            model.addAttribute("rows", Parameters.rows(result));
        }
        return "console/operation";
    }

    @PostMapping("/do/{word}")
    String act(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @PathVariable String word,
            @RequestParam MultiValueMap<String, String> form,
            ConfirmForm answer,
            Model model,
            RedirectAttributes redirect) {
        Operation operation = operation(word);
        if (operation.kind() == Operation.Kind.SEE) {
            throw new NoSuchElementException("\"" + word + "\" changes nothing");
        }
        Request<?> request = request(operation, form);
        answer.requireConfirmed(operation);
        Object result = request instanceof Request.Bulk bulk && !bulk.dryRun()
                ? new BulkRun(shell.admin(), bulk, "in all").run(oneClick())
                : shell.admin().run(request);
        if (!(result instanceof OperationResult done)) {
            model.addAttribute("operation", operation);
            model.addAttribute("rows", Parameters.rows(result));
            return "console/operation";
        }
        return answer.done(
                done, shell.at("/confirm/" + word, Links.pairs(fields(request)).toArray(String[]::new)), redirect);
    }

    private static LongPredicate oneClick() {
        long begun = TimeSource.SYSTEM.nanoTime();
        int[] chunks = {0};
        return changed -> ++chunks[0] < CHUNKS_MAX && TimeSource.SYSTEM.nanoTime() - begun <= TIME_MAX.toNanos();
    }

    /** What would be done, counted by a dry run. */
    @GetMapping("/confirm/{word}")
    String confirm(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @PathVariable String word,
            @RequestParam MultiValueMap<String, String> form,
            ConfirmForm answer,
            Model model) {
        form.addIfAbsent("reason", "dry run");
        if (!(request(operation(word), form) instanceof Request.Bulk bulk)) {
            throw new NoSuchElementException("there is nothing to count for \"" + word + "\"");
        }
        OperationResult would = shell.admin().run(bulk.with(true, bulk.after()));
        model.addAttribute(
                "question", new Question(Operation.of(bulk), subject(bulk), would, fields(bulk), bulk.after()));
        model.addAttribute("reason", answer.why());
        model.addAttribute(
                "back",
                answer.back(
                        bulk instanceof Request.Resend
                                ? shell.at("/resend")
                                : bulk instanceof Request.Purge ? shell.at("/purge") : "/dead"));
        return "console/confirm";
    }

    /**
     * What a person is asked.
     *
     * @param subject what it would be done to
     * @param fields say the same again when it is done
     * @param after where it continues, when a part of it is done already; null at the beginning
     */
    public record Question(
            Operation of,
            String subject,
            OperationResult would,
            Map<String, List<String>> fields,
            @Nullable String after) {

        public String operation() {
            return of.word();
        }

        /** What is left is not counted beforehand. */
        public boolean isSomething() {
            return would.changed() > 0 || would.more();
        }

        public boolean destroys() {
            return of.kind() == Operation.Kind.DESTROY;
        }

        public boolean asksWhy() {
            return Parameters.of(of.requestType()).stream()
                    .anyMatch(each -> each.name().equals("reason"));
        }
    }

    private static String subject(Request.Bulk bulk) {
        return switch (bulk) {
            case Request.Replay replay -> subject(replay.selection());
            case Request.Discard discard -> subject(discard.selection());
            case Request.Resend resend ->
                "done events stored from " + resend.from() + " until " + resend.before()
                        + (resend.eventType() == null ? "" : ", of type " + resend.eventType()) + ", to "
                        + resend.destination();
            case Request.Purge purge -> "done events older than " + age(purge.olderThan());
        };
    }

    private static String age(Duration age) {
        return age.equals(Duration.ofDays(age.toDays())) ? age.toDays() + " days" : age.toString();
    }

    private static String subject(Selection selection) {
        return switch (selection) {
            case Selection.Ids ids -> ids.toString();
            case Selection.Matching matching -> matching.filter().describe();
        };
    }

    // ---- forms -----------------------------------------------------------------------------------------------------

    private static Operation operation(String word) {
        return Operation.of(word)
                .orElseThrow(() -> new NoSuchElementException("there is no operation \"" + word + "\""));
    }

    private static Request<?> request(Operation operation, MultiValueMap<String, String> form) {
        Map<String, List<String>> texts = new LinkedHashMap<>(form);
        texts.putIfAbsent("name", List.of(""));
        texts.computeIfPresent("reason", (name, reason) -> List.of(reason.get(0).strip()));
        // Browsers send every input, the empty ones too, and end lines as mail does.
        texts.computeIfPresent(
                "payload",
                (name, payload) -> payload.get(0).isBlank()
                        ? null
                        : List.of(payload.get(0).replace("\r\n", "\n").replace('\r', '\n')));
        texts.computeIfPresent(
                "header", (name, headers) -> headers.stream().allMatch(String::isBlank) ? null : headers);
        if (form.containsKey("days")) {
            texts.put("older-than", List.of("P" + form.getFirst("days") + "D"));
        }
        String headers = lines(form.getFirst("headers"));
        // Headers that were not touched stay as they are, even those that cannot be written in lines.
        if (!headers.equals(lines(form.getFirst("shown")))) {
            texts.put("header", List.of(headers));
        }
        return Parameters.read(operation.requestType(), texts);
    }

    /** Headers, one a line, without the blanks around names and values. */
    static String lines(@Nullable String text) {
        return text == null
                ? ""
                : text.lines()
                        .map(line -> line.strip().replaceFirst("\\s*=\\s*", "="))
                        .filter(line -> !line.isEmpty())
                        .collect(Collectors.joining("\n"));
    }

    /** What a form says again for the rest. */
    private static Map<String, List<String>> fields(Request<?> request) {
        Map<String, List<String>> fields = Parameters.write((Record) request);
        fields.keySet().removeAll(List.of("reason", "dry-run", "after"));
        return fields;
    }
}
