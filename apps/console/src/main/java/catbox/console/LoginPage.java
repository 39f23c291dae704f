package catbox.console;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.resource.ResourceUrlProvider;

/** The page for logging in, which needs no login, and the choice between light and dark. */
@Controller
final class LoginPage {

    private final Sources sources;
    private final ResourceUrlProvider assets;

    LoginPage(Sources sources, ResourceUrlProvider assets) {
        this.sources = sources;
        this.assets = assets;
    }

    @GetMapping("/login")
    String login(HttpServletRequest request, Model model) {
        model.addAttribute("assets", assets);
        model.addAttribute("theme", Theme.of(request));
        model.addAttribute("logins", sources.logins());
        for (String notice : new String[] {"error", "wait", "logout", "oidc", "role", "refused"}) {
            if (request.getParameter(notice) != null) {
                model.addAttribute("notice", notice);
            }
        }
        return "console/login";
    }

    @PostMapping("/theme")
    ResponseEntity<Void> theme(@RequestParam String to, @RequestParam(defaultValue = "/") String back) {
        return ResponseEntity.status(303)
                .header(HttpHeaders.SET_COOKIE, Theme.cookie(to).toString())
                .header(HttpHeaders.LOCATION, Links.back(back))
                .build();
    }
}
