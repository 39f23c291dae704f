package catbox.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.ResourceUrlProvider;
import outbox.OutboxException;
import outbox.admin.NeedsServerException;

/** The model that all pages share, and the page that is shown when another cannot be. */
@ControllerAdvice(assignableTypes = Page.class)
final class PageModel {

    private final Sources sources;
    private final ConsoleText format;
    private final ResourceUrlProvider assets;

    PageModel(Sources sources, ConsoleText format, ResourceUrlProvider assets) {
        this.sources = sources;
        this.format = format;
        this.assets = assets;
    }

    @ModelAttribute
    void addTo(
            HttpServletRequest request,
            HttpServletResponse response,
            @RequestParam(defaultValue = "") String source,
            Model model) {
        // A page may be meant for its reader alone, and is soon out of date.
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        PageContext shell = PageContext.of(sources, source);
        model.addAllAttributes(everywhere(request, shell));
        model.addAttribute("shell", shell);
    }

    /** With the menus of any other page, so that its reader can choose another source, or log out. */
    @ExceptionHandler
    ModelAndView failed(RuntimeException failure, HttpServletRequest request) {
        HttpStatus status = status(failure);
        if (status == HttpStatus.INTERNAL_SERVER_ERROR) {
            throw failure;
        }
        PageContext shell = shell(request.getParameter("source"));
        ModelAndView page = new ModelAndView("console/problem", everywhere(request, shell), status);
        page.addObject("status", status.value());
        page.addObject("title", title(status));
        page.addObject("detail", sentence(failure.getMessage()));
        page.addObject("states", sources.states());
        page.addObject("shell", shell);
        return page;
    }

    /** Of the requested source, or of another: that there is no such source may be the failure. */
    private @Nullable PageContext shell(@Nullable String wanted) {
        List<Sources.State> states = sources.states();
        boolean known = states.stream().anyMatch(state -> state.name().equals(wanted));
        return states.isEmpty() ? null : PageContext.of(sources, known && wanted != null ? wanted : "");
    }

    /** Messages begin with a small letter, because callers may put something before them. */
    private static @Nullable String sentence(@Nullable String message) {
        return message == null || message.isEmpty()
                ? message
                : message.substring(0, 1).toUpperCase(Locale.ROOT) + message.substring(1);
    }

    private Map<String, Object> everywhere(HttpServletRequest request, @Nullable PageContext shell) {
        String query = request.getQueryString();
        boolean shows = request.getMethod().equals("GET");
        String first = shell == null ? "/" : shell.at("/");
        String path = shows ? request.getRequestURI() + (query == null ? "" : "?" + query) : first;
        return Map.of("format", format, "assets", assets, "theme", Theme.of(request), "path", path);
    }

    private static HttpStatus status(RuntimeException failure) {
        return switch (failure) {
            case NoSuchElementException missing -> HttpStatus.NOT_FOUND;
            case NeedsServerException needs -> HttpStatus.UNPROCESSABLE_CONTENT;
            case OutboxException down -> HttpStatus.SERVICE_UNAVAILABLE;
            case IllegalArgumentException wrong -> HttpStatus.BAD_REQUEST;
            default -> annotated(failure);
        };
    }

    private static HttpStatus annotated(RuntimeException failure) {
        @Nullable
        ResponseStatus status = AnnotatedElementUtils.findMergedAnnotation(failure.getClass(), ResponseStatus.class);
        return status == null ? HttpStatus.INTERNAL_SERVER_ERROR : status.code();
    }

    private static String title(HttpStatus status) {
        return switch (status) {
            case NOT_FOUND -> "Not found";
            case FORBIDDEN -> "Permission denied";
            case SERVICE_UNAVAILABLE -> "Not connected";
            case UNPROCESSABLE_CONTENT -> "Not possible";
            default -> "Invalid request";
        };
    }
}
