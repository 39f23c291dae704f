package catbox.server.api;

import catbox.server.access.Principal;
import catbox.server.pulse.LiveFigures;
import catbox.server.pulse.Pulses;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The figures of all sources, live and of the last 15 minutes. */
@RestController
final class PulseController {

    private final Pulses pulses;
    private final PulseStreams streams;

    PulseController(Pulses pulses, PulseStreams streams) {
        this.pulses = pulses;
        this.streams = streams;
    }

    @GetMapping("/api/pulse")
    Map<String, List<LiveFigures>> history() {
        return pulses.history();
    }

    @GetMapping(path = "/api/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter stream() {
        return streams.open(Principal.current().name());
    }
}
