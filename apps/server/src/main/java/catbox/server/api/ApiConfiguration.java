package catbox.server.api;

import catbox.server.engine.Engine;
import catbox.server.pulse.Pulses;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import outbox.spi.operations.Selection;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.module.SimpleModule;

/** Configures the API. */
@Configuration(proxyBeanMethods = false)
@Import({OperationController.class, PulseController.class, OpenApiController.class, Problems.class})
public class ApiConfiguration {

    @Bean
    SourceAdmins sourceAdmins(Engine engine) {
        return new SourceAdmins(engine);
    }

    @Bean
    Pulses pulses(Engine engine) {
        return engine.pulses();
    }

    @Bean
    PulseStreams pulseStreams(Pulses pulses) {
        return new PulseStreams(pulses);
    }

    /** Enums in small letters, times in ISO-8601, nothing for null; and an unknown name is an error. */
    @Bean
    JsonMapperBuilderCustomizer jsonOfTheApi() {
        return builder -> builder.enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
                .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
                .addModule(new SimpleModule().addDeserializer(Selection.class, new RequestBinding.SelectionReader()));
    }
}
