package catbox.livedemo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A customer who creates orders, changes some, pays them, and receives a coupon now and then. One order gets a mistyped
 * item.
 */
final class OrderDesk {

    static final List<String> ITEMS = List.of("tea", "cake", "cat food", "a box");

    private static final String MISTYPED = "cat fodo";
    private static final int WHEN_MISTYPED = 3;
    private static final Pattern ORDER_ID = Pattern.compile("\"orderId\":(\\d+)");
    private static final int EVERY_CHANGED = 3;
    private static final int EVERY_COUPON = 5;

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String address;
    private final Journal journal;
    private int orders;

    OrderDesk(String address, Journal journal) {
        this.address = address;
        this.journal = journal;
    }

    /** Runs one order from its creation to its payment: two or three events, and sometimes a coupon. */
    void placeOrder() throws IOException, InterruptedException {
        int number = ++orders;
        String order = order(ITEMS.get(number % ITEMS.size()), number);
        Matcher created = ORDER_ID.matcher(send("POST", "/orders", order));
        if (!created.find()) {
            throw new IOException("the order service did not say which order it created");
        }
        String orderId = created.group(1);
        if (number % EVERY_CHANGED == 0) {
            send("PUT", "/orders/" + orderId, order(number == WHEN_MISTYPED ? MISTYPED : "a box", number));
        }
        send("POST", "/orders/payment", "{\"orderId\":" + orderId + "}");
        if (number % EVERY_COUPON == 0) {
            send("POST", "/coupons", "{\"couponName\":\"THANKS" + number + "\"}");
        }
    }

    private static String order(String item, int number) {
        return "{\"item\":\"" + item + "\",\"quantity\":1,\"amountCents\":" + (100 + number) + "}";
    }

    private String send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .header("My-User-Id", "1")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException(
                    method + " " + path + " was answered with " + response.statusCode() + ": " + response.body());
        }
        journal.committed();
        return response.body();
    }
}
