package catbox.server.config;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An address, or all addresses that begin with the same bits.
 *
 * @param bits how many bits have to be the same
 */
public record AddressRange(InetAddress first, int bits) {

    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";

    /** Only such texts are addresses, so no name server is ever asked. */
    private static final Pattern LITERAL =
            Pattern.compile("(" + OCTET + "\\.){3}" + OCTET + "|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    private static final Pattern BITS = Pattern.compile("[0-9]{1,3}");

    /** Reads several, separated by commas. */
    static List<AddressRange> parseAll(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(each -> parse(each.strip()))
                .toList();
    }

    /**
     * Reads {@code 10.0.0.7}, {@code 10.0.0.0/8} or {@code fd00::/8}.
     *
     * @throws IllegalArgumentException when it is none of them
     */
    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress first = address(slash < 0 ? text : text.substring(0, slash)).orElseThrow(() -> wrong(text));
        int most = first.getAddress().length * Byte.SIZE;
        if (slash < 0) {
            return new AddressRange(first, most);
        }
        String bits = text.substring(slash + 1);
        if (!BITS.matcher(bits).matches() || Integer.parseInt(bits) > most) {
            throw wrong(text);
        }
        return new AddressRange(first, Integer.parseInt(bits));
    }

    /** Parses an address; empty for a host name and for anything else. */
    public static Optional<InetAddress> address(String text) {
        try {
            return isLiteral(text) ? Optional.of(InetAddress.getByName(text)) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Whether the JDK parses it without a name server. With one number too many an address is a name. */
    static boolean isLiteral(String text) {
        return LITERAL.matcher(text).matches();
    }

    public boolean contains(InetAddress address) {
        return address.getAddress().length == first.getAddress().length
                && start(address).equals(start(first));
    }

    private BigInteger start(InetAddress address) {
        byte[] all = address.getAddress();
        return new BigInteger(1, all).shiftRight(all.length * Byte.SIZE - bits);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "must be addresses or ranges such as 10.0.0.7, 10.0.0.0/8 or fd00::/8, was \"" + text + "\"");
    }
}
