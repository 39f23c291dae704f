package catbox.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.RouteView;

/** Where events go to, and which way they take. */
@Controller
final class DestinationPages implements Page {

    /** The form that asks which way an event would go. */
    public record SampleForm(
            @Nullable String type,
            @Nullable String aggregateType,
            @Nullable String aggregate,
            @Nullable String tenant,
            @Nullable String headers) {

        boolean isAsked() {
            return type != null && !type.isBlank();
        }

        RouteView.Sample sample() {
            return new RouteView.Sample(
                    type == null ? "" : type.strip(),
                    text(aggregateType),
                    text(aggregate),
                    text(tenant),
                    parsed(headers == null ? "" : headers));
        }

        private static @Nullable String text(@Nullable String value) {
            return value == null || value.isBlank() ? null : value.strip();
        }
    }

    @GetMapping("/destinations")
    String destinations(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        OutboxAdmin admin = shell.admin();
        model.addAttribute("destinations", Part.of(() -> admin.run(new Request.Destinations())));
        model.addAttribute("held", new Held(admin.run(new Request.Holds())));
        return "console/destinations";
    }

    @GetMapping("/routes")
    String routes(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @ModelAttribute("sample") SampleForm form,
            Model model) {
        OutboxAdmin admin = shell.admin();
        RouteView.Sample sample = form.isAsked() ? form.sample() : null;
        Part<List<RouteView>> routes = Part.of(() -> admin.run(new Request.Routes(sample)));
        model.addAttribute("routes", routes);
        model.addAttribute("held", new Held(admin.run(new Request.Holds())));
        model.addAttribute("asked", form.isAsked());
        model.addAttribute(
                "none",
                form.isAsked()
                        && routes.value() != null
                        && routes.value().stream().noneMatch(RouteView::taken));
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

    /** One header per line, as NAME=VALUE. */
    static Map<String, String> parsed(String lines) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : lines.lines().filter(line -> !line.isBlank()).toList()) {
            int equals = line.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("A header is written as NAME=VALUE; was \"" + line + "\".");
            }
            headers.put(
                    line.substring(0, equals).strip(),
                    line.substring(equals + 1).strip());
        }
        return headers;
    }
}
