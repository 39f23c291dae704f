package catbox.server.api;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Describes the API to programs. */
@RestController
final class OpenApiController {

    /** Built on the first request, which most servers never receive. */
    private static final class Built {
        static final Map<String, Object> DOCUMENT = new OpenApi().document();
    }

    @GetMapping("/api/openapi.json")
    Map<String, Object> document() {
        return Built.DOCUMENT;
    }
}
