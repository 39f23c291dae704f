package outbox.kafka;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes secrets from texts of third parties. */
record Redaction(Set<String> secrets) {

    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"|'([^']+)'");
    private static final Pattern SENSITIVE = Pattern.compile("password|secret|jaas|\\.key$|token|credential|userinfo");

    static Redaction of(Map<String, String> properties) {
        // Longest first, so that nothing remains of a secret that contains another one.
        Set<String> secrets = new TreeSet<>(
                (a, b) -> a.length() == b.length() ? a.compareTo(b) : Integer.compare(b.length(), a.length()));
        properties.forEach((name, value) -> {
            if (SENSITIVE.matcher(name.toLowerCase(Locale.ROOT)).find() && !value.isBlank()) {
                secrets.add(value);
                Matcher quoted = QUOTED.matcher(value);
                while (quoted.find()) {
                    secrets.add(quoted.group(1) == null ? quoted.group(2) : quoted.group(1));
                }
            }
        });
        return new Redaction(secrets);
    }

    String in(String text) {
        String clean = text;
        for (String secret : secrets) {
            clean = clean.replace(secret, "(secret)");
        }
        return clean;
    }

    @Override
    public String toString() {
        return "Redaction of " + secrets.size() + " secrets";
    }
}
