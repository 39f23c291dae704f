package catbox.console;

import catbox.console.AttentionCache.Glance;
import catbox.console.Sources.Pulse;
import java.time.InstantSource;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;

/** The first page: how a source goes, and what needs somebody. */
@Controller
final class OverviewPage implements Page {

    private final Sources sources;
    private final AttentionCache glances;

    OverviewPage(Sources sources, AttentionCache glances) {
        this.sources = sources;
        this.glances = glances;
    }

    @GetMapping("/")
    String overview(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        Glance glance = glances.fresh(shell, shell.admin());
        List<Pulse> pulses = sources.pulses(shell.source());
        model.addAttribute("overview", glance.overview());
        model.addAttribute("attention", glance.attention());
        model.addAttribute("storedAt", glance.storedAt());
        model.addAttribute("charts", Chart.all(pulses, InstantSource.system().instant()));
        model.addAttribute("pulses", Chart.data(pulses));
        model.addAttribute("latest", pulses.isEmpty() ? null : pulses.get(pulses.size() - 1));
        return "console/overview";
    }

    /** The part of it that no stream brings, for pages that are open already. */
    @GetMapping("/attention")
    String attention(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        Glance glance = glances.recent(shell, shell.admin());
        model.addAttribute("overview", glance.overview());
        model.addAttribute("attention", glance.attention());
        model.addAttribute("storedAt", glance.storedAt());
        return "console/attention";
    }
}
