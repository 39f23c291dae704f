package catbox.console;

import catbox.console.AttentionCache.Snapshot;
import catbox.console.Sources.Pulse;
import java.time.InstantSource;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;

/** The first page: the state of a source, and what needs an operator. */
@Controller
final class OverviewPage implements Page {

    private final Sources sources;
    private final AttentionCache cache;

    OverviewPage(Sources sources, AttentionCache cache) {
        this.sources = sources;
        this.cache = cache;
    }

    @GetMapping("/")
    String overview(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        Snapshot snapshot = cache.fresh(shell, shell.admin());
        List<Pulse> pulses = sources.pulses(shell.source());
        model.addAttribute("overview", snapshot.overview());
        model.addAttribute("attention", snapshot.attention());
        model.addAttribute("storedAt", snapshot.storedAt());
        model.addAttribute("charts", Chart.all(pulses, InstantSource.system().instant()));
        model.addAttribute("pulses", Chart.data(pulses));
        model.addAttribute("latest", pulses.isEmpty() ? null : pulses.get(pulses.size() - 1));
        return "console/overview";
    }

    /** The part of the page that the stream does not update, for open pages. */
    @GetMapping("/attention")
    String attention(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        Snapshot snapshot = cache.recent(shell, shell.admin());
        model.addAttribute("overview", snapshot.overview());
        model.addAttribute("attention", snapshot.attention());
        model.addAttribute("storedAt", snapshot.storedAt());
        return "console/attention";
    }
}
