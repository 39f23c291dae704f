package catbox.console;

import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.PartitionView;

/** Who is there, and who owns what. */
@Controller
final class ClusterPage implements Page {

    @GetMapping("/cluster")
    String cluster(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        OutboxAdmin admin = shell.admin();
        List<PartitionView> partitions = admin.run(new Request.Partitions());
        model.addAttribute("nodes", admin.run(new Request.Nodes()));
        model.addAttribute("here", shell.at("/cluster"));
        model.addAttribute("partitions", partitions);
        model.addAttribute(
                "orphans",
                partitions.stream()
                        .filter(partition -> partition.owner() == null)
                        .toList());
        return "console/cluster";
    }
}
