package catbox.console;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.ViewResolver;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.VersionResourceResolver;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/** Configures the console for a web application that has {@link Sources}. */
@Configuration(proxyBeanMethods = false)
@Import({
    PageModel.class,
    OverviewPage.class,
    EventPages.class,
    DestinationPages.class,
    AuditPages.class,
    LoginPage.class,
    OperationPages.class
})
public class ConsoleConfiguration implements WebMvcConfigurer {

    private static final String HTMX = "classpath:/META-INF/resources/webjars/htmx.org/2.0.10/dist/";

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        // Pages name the files with a fingerprint of their contents, so browsers request each once.
        registry.addResourceHandler("/assets/**")
                .addResourceLocations("classpath:/catbox/console/assets/", HTMX)
                .setCacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic())
                .resourceChain(true)
                .addResolver(new VersionResourceResolver().addContentVersionStrategy("/**"));
    }

    @Bean
    ConsoleText consoleText() {
        return new ConsoleText(InstantSource.system());
    }

    @Bean
    AttentionCache attentionCache() {
        return new AttentionCache(InstantSource.system());
    }

    @Bean
    ViewResolver consoleViews() {
        ClassLoaderTemplateResolver templates =
                new ClassLoaderTemplateResolver(getClass().getClassLoader());
        templates.setPrefix("catbox/");
        templates.setSuffix(".html");
        templates.setTemplateMode(TemplateMode.HTML);
        templates.setCharacterEncoding(StandardCharsets.UTF_8.name());
        SpringTemplateEngine engine = new SpringTemplateEngine();
        engine.setTemplateResolver(templates);
        ThymeleafViewResolver views = new ThymeleafViewResolver();
        views.setTemplateEngine(engine);
        views.setCharacterEncoding(StandardCharsets.UTF_8.name());
        // Only the console's own, so that other views, such as that of an error, are resolved elsewhere.
        views.setViewNames(new String[] {"console/*", "redirect:*"});
        views.setOrder(Ordered.LOWEST_PRECEDENCE - 5);
        return views;
    }
}
