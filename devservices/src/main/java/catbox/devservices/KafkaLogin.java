package catbox.devservices;

/**
 * A user of a secured Kafka server.
 *
 * @param mechanism of SASL: {@code SCRAM-SHA-512} or {@code PLAIN}
 */
public record KafkaLogin(String mechanism, String user, String password) {

    /** Returns the value of {@code sasl.jaas.config}. */
    String jaasConfig() {
        return loginModule() + " required username=\"" + user + "\" password=\"" + password + "\";";
    }

    /** Returns the broker's own value of {@code sasl.jaas.config} for users of this mechanism. */
    String jaasConfigOfServer() {
        // Kafka keeps SCRAM users in its metadata and reads users of PLAIN from here.
        String users = mechanism.equals("PLAIN") ? " user_" + user + "=\"" + password + "\"" : "";
        return loginModule() + " required" + users + ";";
    }

    private String loginModule() {
        String packageName = "org.apache.kafka.common.security.";
        return packageName + (mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule");
    }
}
