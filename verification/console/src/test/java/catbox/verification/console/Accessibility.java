package catbox.verification.console;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What axe finds wrong with a page, by the rules of WCAG 2.1 and 2.2, levels A and AA. */
final class Accessibility {

    private static final String AXE = read("/axe.min.js");
    private static final String ASK = """
            async rules => {
              const result = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
              return result.violations.map(each => each.id + ': ' + each.nodes.map(node => node.html
                + ' ' + node.failureSummary).join(' | '));
            }
            """;

    private Accessibility() {}

    static List<String> violations(Page page) {
        return results(page, List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"));
    }

    /** Of contrasts alone, which is what differs between light and dark. */
    static List<String> contrasts(Page page) {
        return results(page, List.of("color-contrast"));
    }

    @SuppressWarnings("unchecked")
    private static List<String> results(Page page, List<String> rules) {
        if (Boolean.FALSE.equals(page.evaluate("typeof axe === 'object'"))) {
            page.evaluate(AXE); // Put there by the browser itself, so that the content policy has nothing to say.
        }
        return (List<String>) page.evaluate(ASK, rules);
    }

    private static String read(String resource) {
        try (InputStream content = Accessibility.class.getResourceAsStream(resource)) {
            if (content == null) {
                throw new IllegalStateException(resource + " is not on the class path");
            }
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
