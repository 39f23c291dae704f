package outbox.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A block of addresses, such as {@code 10.0.0.0/8}.
 *
 * @param bits how many leading bits of the address count
 */
public record AddressBlock(InetAddress address, int bits) {

    public AddressBlock {
        if (bits < 0 || bits > address.getAddress().length * 8) {
            throw new IllegalArgumentException("an address block has 0 to 32 bits, or 0 to 128 for IPv6, not " + bits);
        }
    }

    /**
     * Parses an address and the number of its leading bits; without a number, all bits count.
     *
     * @throws IllegalArgumentException when it is neither
     */
    public static AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        String literal = slash < 0 ? text : text.substring(0, slash);
        // A host name is refused, because it would be resolved.
        if (!literal.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            throw wrong(text);
        }
        try {
            InetAddress address = InetAddress.getByName(literal);
            int all = address.getAddress().length * 8;
            return new AddressBlock(address, slash < 0 ? all : Integer.parseInt(text.substring(slash + 1)));
        } catch (UnknownHostException | NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "must be address blocks such as 10.0.0.0/8 or fd00::/8, had \"" + text + "\"");
    }

    boolean contains(InetAddress other) {
        byte[] mine = address.getAddress();
        byte[] others = other.getAddress();
        if (mine.length != others.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            if (((mine[bit / 8] ^ others[bit / 8]) & 0x80 >> bit % 8) != 0) {
                return false;
            }
        }
        return true;
    }
}
