package outbox.sqs;

import java.net.URI;
import org.apache.pekko.http.scaladsl.Http;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A server with the protocol of SQS, in this process and shared by all tests, with a client for consumers. */
final class ElasticMq {

    private static final SQSRestServer SERVER =
            SQSRestServerBuilder.withInterface("127.0.0.1").withDynamicPort().start();
    private static final Http.ServerBinding BINDING = SERVER.waitUntilStarted();
    static final URI ADDRESS =
            URI.create("http://127.0.0.1:" + BINDING.localAddress().getPort());

    static final SqsClient CONSUMER = SqsClient.builder()
            .endpointOverride(ADDRESS)
            .region(Region.US_EAST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("consumer", "consumer")))
            .build();

    private ElasticMq() {}

    /** Returns whether the thread belongs to the server, the proxy or the consumers. */
    static boolean owns(Thread thread) {
        return thread.getName().startsWith("elasticmq")
                || thread.getName().startsWith("HttpClient-")
                || thread.getName().startsWith("HTTP-Dispatcher")
                || thread.getName().startsWith("idle-connection-reaper");
    }
}
