package catbox.verification.console;

import java.util.LinkedHashMap;
import java.util.Map;

/** All pages of a source, by a name for each. */
final class Pages {

    private Pages() {}

    static Map<String, String> of(String source, String event, String key) {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("overview", "/?");
        pages.put("events", "/events?state=dead&");
        pages.put("event", "/event?id=" + event + "&");
        pages.put("edit", "/edit?id=" + event + "&");
        pages.put("keys", "/key?");
        pages.put("key", "/key?key=" + key + "&");
        pages.put("dead", "/dead?");
        pages.put("replay", "/confirm/replay?state=dead&error=*&");
        pages.put("cluster", "/cluster?");
        pages.put("destinations", "/destinations?");
        pages.put("routes", "/routes?type=OrderPlaced&");
        pages.put("pauses", "/pauses?");
        pages.put("audit", "/audit?");
        pages.put("doctor", "/doctor?");
        pages.put("operations", "/operations?");
        pages.put("operation", "/operation/events?state=dead&");
        pages.put("pause", "/operation/pause?");
        pages.put("discard", "/confirm/discard?id=" + event + "&reason=obsolete&");
        pages.put("resend", "/resend?");
        pages.put("purge", "/purge?");
        pages.replaceAll((name, path) -> path + "source=" + source);
        return pages;
    }
}
