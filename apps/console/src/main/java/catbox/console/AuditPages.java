package catbox.console;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import outbox.admin.Operation.Request;
import outbox.admin.view.PartitionView;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;

/** Shows nodes and partitions, pauses, the audit log, and what the doctor finds. */
@Controller
final class AuditPages implements Page {

    private static final int PAGE_SIZE = 50;

    @GetMapping("/cluster")
    String cluster(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        List<PartitionView> partitions = shell.admin().run(new Request.Partitions());
        model.addAttribute("nodes", shell.admin().run(new Request.Nodes()));
        model.addAttribute("here", shell.at("/cluster"));
        model.addAttribute("partitions", partitions);
        model.addAttribute(
                "orphans",
                partitions.stream()
                        .filter(partition -> partition.owner() == null)
                        .toList());
        return "console/cluster";
    }

    @GetMapping("/pauses")
    String pauses(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        model.addAttribute("pauses", shell.admin().run(new Request.Pauses()));
        return "console/pauses";
    }

    @GetMapping("/audit")
    String audit(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam(required = false) @Nullable Long before,
            Model model) {
        List<AuditEntry> entries = shell.admin().run(new Request.Audit(new AuditQuery(before, PAGE_SIZE)));
        model.addAttribute("entries", entries);
        model.addAttribute("first", before == null);
        model.addAttribute(
                "next",
                entries.size() < PAGE_SIZE
                        ? null
                        : entries.get(entries.size() - 1).id());
        return "console/audit";
    }

    @GetMapping("/doctor")
    String doctor(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        model.addAttribute(
                "findings",
                shell.admin().run(new Request.Doctor()).stream()
                        .map(finding -> FindingView.of(shell, finding))
                        .toList());
        return "console/doctor";
    }

    @GetMapping("/purge")
    String purge() {
        return "console/purge";
    }
}
