package catbox.console;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.OperationResult;
import outbox.spi.TimeSource;

/**
 * What one click does to many events: chunk after chunk while there is more, for a while. Each goes on behind the one
 * before where that is said, and may have to look on before it finds something.
 */
final class Chunks {

    /** One click changes so many chunks at most, and begins none after so long; what is left takes another. */
    private static final int CHUNKS_MAX = 20;

    private static final Duration TIME_MAX = Duration.ofSeconds(20);

    private static final int KEYS_MAX = 20;

    /** How a chunk begins to tell of each key that stays on hold although its dead event was dealt with. */
    private static final String KEY = ". Key ";

    private final Set<String> keys = new LinkedHashSet<>();

    private Chunks() {}

    static OperationResult all(@Nullable String behind, Function<@Nullable String, OperationResult> chunk) {
        return new Chunks().repeated(behind, chunk);
    }

    private OperationResult repeated(@Nullable String behind, Function<@Nullable String, OperationResult> chunk) {
        long begun = TimeSource.SYSTEM.nanoTime();
        String after = behind;
        OperationResult done = chunk.apply(after);
        if (!goesOn(done, after)) {
            return done;
        }
        long changed = done.changed();
        remember(done);
        for (int chunks = 1; chunks < CHUNKS_MAX && goesOn(done, after); chunks++) {
            if (TimeSource.SYSTEM.nanoTime() - begun > TIME_MAX.toNanos()) {
                break;
            }
            after = done.next();
            done = chunk.apply(after);
            changed += done.changed();
            remember(done);
        }
        String failure = done.more() && !goesOn(done, after) ? ". The last of it: " + done.says() : "";
        return new OperationResult(changed, done.more(), false, done.next(), says(changed) + failure);
    }

    // What neither changes anything nor comes any further, has failed.
    private static boolean goesOn(OperationResult done, @Nullable String after) {
        return done.more()
                && (done.changed() > 0 || (done.next() != null && !done.next().equals(after)));
    }

    private void remember(OperationResult done) {
        int begin = done.says().indexOf(KEY);
        if (begin >= 0) {
            for (String key : done.says().substring(begin + KEY.length()).split("\\. Key ", -1)) {
                keys.add(key);
            }
        }
    }

    private String says(long changed) {
        StringBuilder says = new StringBuilder(
                String.format(Locale.ROOT, "%,d %s in all", changed, changed == 1 ? "event" : "events"));
        keys.stream().limit(KEYS_MAX).forEach(key -> says.append(KEY).append(key));
        if (keys.size() > KEYS_MAX) {
            says.append(String.format(Locale.ROOT, ". So are %,d more keys: see Holds", keys.size() - KEYS_MAX));
        }
        return says.toString();
    }
}
