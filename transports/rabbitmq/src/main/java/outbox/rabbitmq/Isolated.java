package outbox.rabbitmq;

/** Identifies messages that temporarily have a channel of their own, because one of them may end it. */
sealed interface Isolated permits BrokerAddress, Suspects.Group {}
