package catbox.server.api;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Describes the API to programs. */
@RestController
final class OpenApiController {

    /** Made when it is first asked for: most servers never are. */
    private static final class Made {
        static final Map<String, Object> DOCUMENT = new OpenApi().document();
    }

    @GetMapping("/api/openapi.json")
    Map<String, Object> document() {
        return Made.DOCUMENT;
    }
}
