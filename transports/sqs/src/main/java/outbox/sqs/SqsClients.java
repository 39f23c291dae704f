package outbox.sqs;

import java.net.URI;
import outbox.spi.Settings;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/** Creates clients that try once, with one connection per concurrent request. */
final class SqsClients {

    /** The region that requests to a custom endpoint are signed for by default. */
    private static final Region REGION_OF_ENDPOINT = Region.US_EAST_1;

    private SqsClients() {}

    static SqsClient create(SqsConfig config) {
        SqsConfig.Limits limits = config.limits();
        SqsClientBuilder builder = SqsClient.builder()
                .overrideConfiguration(settings ->
                        settings.retryStrategy(AwsRetryStrategy.doNotRetry()).apiCallTimeout(limits.timeout()))
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(limits.requestsMax())
                        .connectionTimeout(limits.connectTimeout())
                        .connectionAcquisitionTimeout(limits.timeout())
                        .socketTimeout(limits.timeout()));
        SqsConfig.Access access = config.access();
        URI endpoint = access.endpoint();
        if (endpoint != null) {
            builder.endpointOverride(endpoint).region(REGION_OF_ENDPOINT);
        }
        if (access.region() != null) {
            builder.region(Region.of(access.region()));
        }
        SqsConfig.Keys keys = access.keys();
        if (keys != null) {
            builder.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(
                    keys.accessKey().reveal(), keys.secretKey().reveal())));
        }
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw new Settings.WrongSettingException(
                    "region",
                    "destination " + config.name() + ": setting region is missing, and neither the environment nor a"
                            + " profile gives one (" + e.getMessage() + ")",
                    e);
        }
    }
}
