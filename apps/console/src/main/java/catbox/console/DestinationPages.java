package catbox.console;

import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.RouteView;

/** Shows destinations and routes. */
@Controller
final class DestinationPages implements Page {

    @GetMapping("/destinations")
    String destinations(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        OutboxAdmin admin = shell.admin();
        model.addAttribute("destinations", Part.of(() -> admin.run(new Request.Destinations())));
        model.addAttribute("pauses", new PausedSubjects(admin.run(new Request.Pauses())));
        return "console/destinations";
    }

    /** The routes; with an event as a sample, also the one that it would take. */
    @GetMapping("/routes")
    String routes(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam MultiValueMap<String, String> parameters,
            Model model) {
        OutboxAdmin admin = shell.admin();
        parameters.replaceAll((name, texts) -> texts.stream().map(String::strip).toList());
        parameters.computeIfPresent("header", (name, texts) -> OperationPages.lines(String.join("\n", texts)));
        FilterForm<RouteView.Sample> sample = FilterForm.of(RouteView.Sample.class, parameters);
        boolean sampled = sample.get("type") != null;
        RouteView.Sample event = sampled ? sample.record() : null;
        Part<List<RouteView>> routes = Part.of(() -> admin.run(new Request.Routes(event)));
        model.addAttribute("sample", sample);
        model.addAttribute("routes", routes);
        model.addAttribute("pauses", new PausedSubjects(admin.run(new Request.Pauses())));
        model.addAttribute(
                "none",
                sampled && routes.value() != null && routes.value().stream().noneMatch(RouteView::taken));
        return "console/routes";
    }

    /** The form to send events of a period again, which leads to a confirm page. */
    @GetMapping("/resend")
    String resend(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam(defaultValue = "") String destination,
            Model model) {
        OutboxAdmin admin = shell.admin();
        model.addAttribute("chosen", destination);
        model.addAttribute("destinations", Part.of(() -> admin.run(new Request.Destinations())));
        return "console/resend";
    }
}
