package catbox.devservices;

/** Starts a RabbitMQ server, prints its port and waits to be killed. */
final class OrphaningRabbitMq {

    private OrphaningRabbitMq() {}

    public static void main(String[] arguments) throws InterruptedException {
        RabbitMqBroker server = RabbitMqServer.start();
        System.out.println(server.port());
        Thread.currentThread().join();
    }
}
