package catbox.console;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import outbox.admin.Operation.Request;

/** Dead events by what they died of. */
@Controller
final class DeadPage implements Page {

    @GetMapping("/dead")
    String dead(@ModelAttribute(name = "shell", binding = false) PageContext shell, Model model) {
        model.addAttribute("groups", shell.admin().run(new Request.Dead()));
        return "console/dead";
    }
}
