package catbox.devservices;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings that keep a Kafka server small, alone and local. Its disk writes keep Kafka's defaults. */
final class KafkaProperties {

    private KafkaProperties() {}

    static Map<String, String> of(ServerFolder folder, KafkaPorts ports, @Nullable KafkaKeys keys) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", "1");
        all.put("log.dirs", folder.data().toString());
        all.put("controller.quorum.voters", "1@127.0.0.1:" + ports.controller());
        all.put("controller.listener.names", "CONTROLLER");
        all.put("inter.broker.listener.name", "INTERNAL");
        String reachable = "CLIENTS://127.0.0.1:" + ports.clients() + ",INTERNAL://127.0.0.1:" + ports.internal();
        all.put("listeners", reachable + ",CONTROLLER://127.0.0.1:" + ports.controller());
        all.put("advertised.listeners", reachable);
        all.put(
                "listener.security.protocol.map",
                "CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT,CLIENTS:" + (keys == null ? "PLAINTEXT" : "SASL_SSL"));
        all.put("auto.create.topics.enable", "false");
        // A restarted broker is accepted only when its previous session has expired.
        all.put("broker.session.timeout.ms", "4000");
        all.put("broker.heartbeat.interval.ms", "500");
        all.put("group.initial.rebalance.delay.ms", "0");
        for (String internalTopic : new String[] {"offsets.topic", "transaction.state.log"}) {
            all.put(internalTopic + ".replication.factor", "1");
            all.put(internalTopic + ".num.partitions", "4");
        }
        all.put("transaction.state.log.min.isr", "1");
        if (keys != null) {
            secure(all, keys);
        }
        return all;
    }

    private static void secure(Map<String, String> all, KafkaKeys keys) {
        String listener = "listener.name.clients.";
        all.put(listener + "ssl.keystore.location", keys.keyStore().toString());
        all.put(listener + "ssl.keystore.password", KafkaKeys.PASSWORD);
        all.put(listener + "sasl.enabled.mechanisms", "SCRAM-SHA-512,PLAIN");
        all.put(listener + "scram-sha-512.sasl.jaas.config", KafkaServer.SCRAM_USER.jaasConfigOfServer());
        all.put(listener + "plain.sasl.jaas.config", KafkaServer.PLAIN_USER.jaasConfigOfServer());
        all.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        // Only the broker itself connects without a name, through the listener that only it uses.
        all.put("super.users", "User:ANONYMOUS;User:" + KafkaServer.ADMIN.user());
        all.put("allow.everyone.if.no.acl.found", "true");
    }
}
