package catbox.bench.contest;

import java.util.List;
import java.util.Locale;

/** Draws horizontal bars as SVG, one below the other, starting at zero. Readable on light and dark pages. */
record BarChart(String title, List<Bar> bars) {

    /** One bar; ours are highlighted. */
    record Bar(String label, double value, boolean ours) {}

    private static final int WIDTH = 760;
    private static final int LABELS = 210;
    private static final int NUMBERS = 90;
    private static final int ROW = 24;
    private static final int TOP = 36;

    String svg() {
        int height = TOP + ROW * bars.size() + 8;
        double most = bars.stream().mapToDouble(Bar::value).max().orElse(0);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"13\" role=\"img\">%n",
                WIDTH,
                height,
                WIDTH,
                height));
        svg.append("<title>").append(escaped(title)).append("</title>\n");
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        svg.append("<text x=\"8\" y=\"22\" font-size=\"15\" font-weight=\"bold\" fill=\"#222222\">")
                .append(escaped(title))
                .append("</text>\n");
        for (int i = 0; i < bars.size(); i++) {
            row(svg, bars.get(i), TOP + ROW * i, most);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void row(StringBuilder svg, Bar bar, int y, double most) {
        double length = most == 0 ? 0 : bar.value() / most * (WIDTH - LABELS - NUMBERS);
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#222222\">%s</text>"
                        + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                        + "<text x=\"%.1f\" y=\"%d\" fill=\"#222222\">%s</text>%n",
                LABELS - 8,
                y + 16,
                escaped(bar.label()),
                LABELS,
                y + 3,
                length,
                ROW - 6,
                bar.ours() ? "#d9702b" : "#8a9aa8",
                LABELS + length + 6,
                y + 16,
                number(bar.value())));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%,.2f" : "%,.0f", value);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
