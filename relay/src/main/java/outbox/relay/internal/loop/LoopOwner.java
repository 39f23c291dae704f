package outbox.relay.internal.loop;

import java.util.function.BooleanSupplier;
import outbox.spi.SettleRequest;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionStore;

/**
 * The right by which a loop works.
 *
 * @param isOwned whether no other node can own the partition
 * @param mayDeliver whether deliveries may begin: not when another node might soon own the partition
 * @param fence rejects settlements once another node owns what is settled
 * @param past what became of the owners before
 */
public record LoopOwner(
        PartitionOwnership ownership,
        ClusterLayout layout,
        BooleanSupplier isOwned,
        BooleanSupplier mayDeliver,
        Claimer claimer,
        PartitionStore store,
        SettleRequest.Fence fence,
        Suspects.Past past) {}
