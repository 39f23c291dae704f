package catbox.console;

import catbox.console.Sources.Pulse;
import java.time.InstantSource;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.Overview;

/** The first page: how a source goes, and what needs somebody. */
@Controller
final class OverviewPage implements Page {

    private final Sources sources;

    OverviewPage(Sources sources) {
        this.sources = sources;
    }

    @GetMapping("/")
    String overview(@ModelAttribute(name = "shell", binding = false) Shell shell, Model model) {
        OutboxAdmin admin = shell.admin();
        Overview overview = admin.overview();
        List<Pulse> pulses = sources.pulses(shell.source());
        model.addAttribute("overview", overview);
        model.addAttribute("attention", Attention.of(shell, admin, overview));
        model.addAttribute("charts", Chart.all(pulses, InstantSource.system().instant()));
        model.addAttribute("pulses", Chart.data(pulses));
        model.addAttribute("latest", pulses.isEmpty() ? null : pulses.get(pulses.size() - 1));
        return "console/overview";
    }
}
