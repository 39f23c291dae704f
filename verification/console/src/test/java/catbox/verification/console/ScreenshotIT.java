package catbox.verification.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import outbox.model.EventStatus;

/** How every page looks: light and dark, on a desk and on a phone. The pictures stay in target/screenshots. */
@ExtendWith(Stage.Given.class)
class ScreenshotIT {

    private static final String UTOPIA = "country Utopia is unknown, give a code of two letters such as NO";

    @Test
    void everyPageCanBeReadByEverybody(Stage stage) {
        List<String> violations = new ArrayList<>();
        try (Person chief = stage.person("chief", options -> options.setReducedMotion(ReducedMotion.REDUCE))) {
            pages(stage).forEach((name, path) -> {
                chief.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
                chief.open(path).keep("desk-" + name + "-light");
                Accessibility.violations(chief.page()).forEach(one -> violations.add(name + ": " + one));
                chief.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
                chief.keep("desk-" + name + "-dark");
                Accessibility.contrasts(chief.page()).forEach(one -> violations.add(name + ", dark: " + one));
            });
        }
        try (Person stranger = stage.stranger()) {
            stranger.open("/login").keep("desk-login-light");
            Accessibility.violations(stranger.page()).forEach(one -> violations.add("login: " + one));
        }
        assertThat(violations).isEmpty();
    }

    @Test
    void noPageIsWiderThanAPhone(Stage stage) {
        List<String> wide = new ArrayList<>();
        try (Person chief = stage.onPhone("chief")) {
            pages(stage).forEach((name, path) -> {
                chief.open(path).keep("phone-" + name + "-dark");
                Object width = chief.page().evaluate("document.documentElement.scrollWidth");
                if (!width.equals(chief.page().viewportSize().width)) {
                    wide.add(name + " is " + width + " wide");
                }
            });
        }
        assertThat(wide).isEmpty();
    }

    /** The figure is for people; that it is bounded at all is for the build, whose machine may be busy. */
    @Test
    void everyPageIsPaintedSoon(Stage stage) {
        Map<String, Long> paints = new LinkedHashMap<>();
        try (Person chief = stage.person("chief")) {
            pages(stage).forEach((name, path) -> paints.put(name, medianPaintMillis(chief, path)));
        }
        System.out.println("first contentful paint, median of 3, in ms: " + paints);
        assertThat(paints.values()).allMatch(millis -> millis < 3_000);
    }

    private static long medianPaintMillis(Person person, String path) {
        return List.of(paintMillis(person, path), paintMillis(person, path), paintMillis(person, path)).stream()
                .sorted()
                .toList()
                .get(1);
    }

    private static long paintMillis(Person person, String path) {
        person.open(path);
        person.page().waitForFunction("() => performance.getEntriesByName('first-contentful-paint').length > 0");
        Object millis = person.page().evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
        return Math.round(((Number) millis).doubleValue());
    }

    private static synchronized Map<String, String> pages(Stage stage) {
        Outbox orders = stage.server().source("orders");
        String dead = orders.once("dead", () -> prepared(orders));
        Map<String, String> pages = Pages.of("orders", dead, "parcel-77");
        pages.put("not-connected", "/events?source=legacy");
        pages.put("not-there", "/event?source=orders&id=none");
        pages.put("nothing-dead", "/dead?source=shop&");
        return pages;
    }

    private static String prepared(Outbox orders) {
        for (int i = 0; i < 30; i++) {
            orders.publish("CustomerMoved", "customer-" + i, "{\"city\":\"Oslo\"}");
        }
        orders.publishDead("order-1042", UTOPIA);
        orders.publishDead("order-1050", "amount 0 is too little to be invoiced");
        String retry = orders.publish("ParcelPacked", "parcel-77", "{\"closed\":\"the warehouse is closed today\"}");
        orders.publish("ParcelSent", "parcel-77", "{}");
        orders.await(retry, EventStatus.RETRY);
        return orders.publishDead("order-1041", UTOPIA);
    }
}
