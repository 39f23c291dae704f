package catbox.verification.console;

import catbox.devservices.Chromium;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One server and one browser for all classes: both take seconds to begin. */
final class Stage implements AutoCloseable {

    private static final double PATIENCE_MILLIS = 15_000;

    private static final List<String> FLAGS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final Receivers receivers;
    private final Server server;
    private final Playwright playwright;
    private final Browser browser;
    private final Map<String, String> cookies = new HashMap<>();

    /** Gives the stage to tests that ask for it; where there is no browser to be had they are skipped, and say why. */
    static final class Given implements ParameterResolver, ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Chromium.unavailableReason()
                    .map(reason -> {
                        System.err.println("!!! SKIPPED: all tests of the console in a browser. " + reason);
                        return ConditionEvaluationResult.disabled(reason);
                    })
                    .orElseGet(() -> ConditionEvaluationResult.enabled("there is a browser"));
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Stage.class;
        }

        @Override
        public Stage resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(Namespace.create(Stage.class))
                    .computeIfAbsent(Stage.class, key -> new Stage(), Stage.class);
        }
    }

    Stage() {
        try {
            receivers = new Receivers();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server = new Server(receivers.url());
        Chromium chromium = Chromium.find();
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
        environment.putAll(chromium.environment());
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium.executable())
                        .setEnv(environment)
                        .setArgs(FLAGS));
    }

    Receivers receivers() {
        return receivers;
    }

    Server server() {
        return server;
    }

    /** A user who has just logged in, with a desktop-sized window. */
    Person person(String name) {
        return person(name, options -> options);
    }

    /** The same with a phone, in the dark. */
    Person onPhone(String name) {
        return person(
                name,
                options -> options.setViewportSize(390, 844)
                        .setHasTouch(true)
                        .setIsMobile(true)
                        .setColorScheme(ColorScheme.DARK));
    }

    Person person(String name, UnaryOperator<NewContextOptions> more) {
        String known = cookies.computeIfAbsent(name, this::login);
        return new Person(context(options -> more.apply(options.setStorageState(known))));
    }

    /** A user whom the server does not know. */
    Person stranger() {
        return new Person(context(options -> options));
    }

    private BrowserContext context(UnaryOperator<NewContextOptions> more) {
        BrowserContext context = browser.newContext(
                more.apply(new NewContextOptions().setBaseURL(server.url()).setViewportSize(1280, 900)));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        return context;
    }

    private String login(String name) {
        try (BrowserContext context = context(options -> options)) {
            Page page = context.newPage();
            page.navigate("/login");
            page.getByLabel("Name").fill(name);
            page.getByLabel("Password").fill(Person.PASSWORD);
            page.getByText("Log in").last().click();
            page.waitForURL(server.url() + "/");
            return context.storageState();
        }
    }

    @Override
    public void close() {
        playwright.close();
        server.close();
        receivers.close();
    }
}
