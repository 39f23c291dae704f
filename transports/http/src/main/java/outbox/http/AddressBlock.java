package outbox.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A block of addresses, such as {@code 10.0.0.0/8}.
 *
 * @param address of which the first bits count
 */
public record AddressBlock(InetAddress address, int bits) {

    public AddressBlock {
        if (bits < 0 || bits > address.getAddress().length * 8) {
            throw new IllegalArgumentException("a network has 0 to 32 bits, or 0 to 128 for IPv6, not " + bits);
        }
    }

    /**
     * Reads an address and the number of its bits that count; without a number, all do.
     *
     * @throws IllegalArgumentException when it is neither
     */
    public static AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        String literal = slash < 0 ? text : text.substring(0, slash);
        if (!literal.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) { // Never a name, which would be looked up.
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
        return new IllegalArgumentException("must be networks such as 10.0.0.0/8 or fd00::/8, had \"" + text + "\"");
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
