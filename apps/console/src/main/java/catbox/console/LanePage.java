package catbox.console;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import outbox.admin.Operation.Request;

/** One key: why its events do not move, and what can be done. */
@Controller
final class LanePage implements Page {

    @GetMapping("/key")
    String key(
            @ModelAttribute(name = "shell", binding = false) PageContext shell,
            @RequestParam(defaultValue = "") String key,
            Model model) {
        model.addAttribute("lane", key.isEmpty() ? null : shell.admin().run(new Request.Key(key)));
        model.addAttribute("here", shell.at("/key", "key", key));
        return "console/key";
    }
}
