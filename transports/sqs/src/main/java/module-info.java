/** Delivers events to Amazon SQS and compatible services. */
module outbox.sqs {
    requires transitive outbox.core;
    requires software.amazon.awssdk.auth;
    requires software.amazon.awssdk.awscore;
    requires software.amazon.awssdk.core;
    requires software.amazon.awssdk.http;
    requires software.amazon.awssdk.http.apache5;
    requires software.amazon.awssdk.regions;
    requires software.amazon.awssdk.retries.api;
    requires software.amazon.awssdk.services.sqs;
    requires static org.jspecify;

    exports outbox.sqs;

    provides outbox.spi.DestinationFactory with
            outbox.sqs.SqsDestinationFactory;
}
