package catbox.console;

import java.util.NoSuchElementException;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.EventView;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;

/** Shows events as a list, dead ones by error, those of a key, and one with its history. */
@Controller
final class EventPages implements Page {

    static final int PAGE_SIZE = 50;

    @GetMapping("/events")
    String events(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam MultiValueMap<String, String> parameters,
            @RequestParam(defaultValue = "") String after,
            Model model) {
        FilterForm<EventFilter> filter = FilterForm.of(EventFilter.class, parameters);
        EventPage page = shell.admin()
                .run(new Request.Events(new EventQuery(filter.record(), after.isEmpty() ? null : after, PAGE_SIZE)));
        model.addAttribute("filter", filter);
        model.addAttribute("page", page);
        model.addAttribute("after", after);
        model.addAttribute("here", shell.at("/events", filter.parameters("after", after)));
        return "console/events";
    }

    /** Redirects to what was searched for: the event with this id if there is one, and the key otherwise. */
    @GetMapping("/find")
    String find(@ModelAttribute(name = "shell", binding = false) PageContext shell, @RequestParam String q) {
        String wanted = q.strip();
        if (wanted.isEmpty()) {
            return "redirect:" + shell.at("/events");
        }
        try {
            shell.admin().run(new Request.Event(wanted));
            return "redirect:" + shell.event(wanted);
        } catch (NoSuchElementException e) {
            return "redirect:" + shell.at("/key", "key", wanted);
        }
    }

    /** The id is a parameter, since a path does not transport every character. */
    @GetMapping("/event")
    String event(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam(defaultValue = "") String id,
            Model model) {
        return show(shell, shell.admin().run(new Request.Event(id)), model);
    }

    /** Shows the event with its payload. A POST, because the audit log records it. */
    @PostMapping("/reveal")
    String reveal(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam String id,
            @RequestParam(defaultValue = "event") String then,
            Model model) {
        OutboxAdmin admin = shell.admin();
        model.addAttribute("payload", admin.run(new Request.Reveal(id)));
        EventView view = admin.run(new Request.Event(id));
        return then.equals("edit") ? edit(view, model) : show(shell, view, model);
    }

    @GetMapping("/edit")
    String edit(
            @ModelAttribute(name = "shell", binding = false) PageContext shell, @RequestParam String id, Model model) {
        return edit(shell.admin().run(new Request.Event(id)), model);
    }

    private static String edit(EventView view, Model model) {
        model.addAttribute("view", view);
        return "console/edit";
    }

    /** Dead events by error. */
    @GetMapping("/dead")
    String dead(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        model.addAttribute("groups", shell.admin().run(new Request.Dead()));
        return "console/dead";
    }

    /** One key: why its events wait, and what can be done. */
    @GetMapping("/key")
    String key(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam(defaultValue = "") String key,
            Model model) {
        model.addAttribute("lane", key.isEmpty() ? null : shell.admin().run(new Request.Key(key)));
        model.addAttribute("here", shell.at("/key", "key", key));
        return "console/key";
    }

    private static String show(PageContext shell, EventView view, Model model) {
        model.addAttribute("view", view);
        model.addAttribute("moments", Timeline.of(view));
        model.addAttribute("pending", Timeline.isPending(view));
        model.addAttribute("here", shell.event(view.event().eventId()));
        return "console/event";
    }
}
