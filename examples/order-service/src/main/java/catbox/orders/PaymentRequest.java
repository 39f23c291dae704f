package catbox.orders;

import jakarta.validation.constraints.NotNull;

/** Which order is paid. */
record PaymentRequest(@NotNull Long orderId) {}
