package catbox.verification.console;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FormData;
import com.microsoft.playwright.options.RequestOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody with a browser window of his own. That a script fails, or that the browser refuses something for the sake of
 * the content policy, fails the test when he is closed.
 */
final class Person implements AutoCloseable {

    static final String PASSWORD = "a password for tests";

    /** Made with the least cost, because it is looked at in every test. */
    static final String PASSWORD_HASH = "{bcrypt}$2a$04$3JyZn3KGLSkG9sNAhxXKT./h.MdtAppo3lmdZ5mzbiWtOXf5Qqt4W";

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final BrowserContext context;
    private final Page page;
    private final List<String> complaints = new ArrayList<>();
    private int clicks;

    Person(BrowserContext context) {
        this.context = context;
        this.page = context.newPage();
        page.onPageError(complaints::add);
        page.onConsoleMessage(message -> {
            // That an answer was no 2xx is for the tests to judge.
            if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
                complaints.add(message.text());
            }
        });
    }

    Page page() {
        return page;
    }

    Person open(String path) {
        page.navigate(path);
        return this;
    }

    /** Clicks on a link, a button or what opens a form, by a part of what it says; in the page, not around it. */
    Person click(String text) {
        clicks++;
        press(text).first().click();
        return this;
    }

    /** What could be clicked on with such a text. */
    Locator press(String text) {
        return page.locator("main")
                .locator("a:visible, button:visible, summary:visible")
                .filter(new Locator.FilterOptions().setHasText(text));
    }

    /** Sends a form by its button. */
    Person submit(String text) {
        clicks++;
        page.locator("main button:visible")
                .filter(new Locator.FilterOptions().setHasText(text))
                .first()
                .click();
        return this;
    }

    /** Waits until the page says what was done. */
    Person seesResult(String text) {
        page.locator(".banner.said")
                .filter(new Locator.FilterOptions().setHasText(text))
                .waitFor();
        return this;
    }

    int clicks() {
        return clicks;
    }

    Person fill(String label, String text) {
        page.locator("main").getByLabel(label).locator("visible=true").first().fill(text);
        return this;
    }

    /** Waits until the page shows a text. */
    Person sees(String text) {
        page.locator("main").getByText(text).locator("visible=true").first().waitFor();
        return this;
    }

    /** Waits until the event that the page shows has come to a state, whatever brings it there. */
    Person seesState(String state) {
        page.locator("[data-state=" + state + "]").waitFor();
        return this;
    }

    String text() {
        return page.locator("main").innerText();
    }

    /** A page as the server sends it, without being shown. */
    String read(String path) {
        return context.request().get(path).text();
    }

    /** Sends a form of his own making, with all that the server asks of a form. */
    APIResponse forge(String path, String... fields) {
        FormData form = FormData.create()
                .set("_csrf", page.locator("input[name=_csrf]").first().inputValue())
                .set("source", "stock");
        for (int i = 0; i < fields.length; i += 2) {
            form.append(fields[i], fields[i + 1]);
        }
        return context.request()
                .post(path, RequestOptions.create().setForm(form).setMaxRedirects(0));
    }

    void keep(String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
    }

    @Override
    public void close() {
        context.close();
        if (!complaints.isEmpty()) {
            throw new AssertionError("the page complained: " + complaints);
        }
    }
}
