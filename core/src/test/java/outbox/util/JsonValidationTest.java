package outbox.util;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What RFC 8259 calls JSON and what it does not. */
final class JsonValidationTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "1",
                "-1",
                "10",
                "1234567890123456789012345678901234567890",
                "0.0",
                "-0.5",
                "1.50",
                "1e5",
                "1E5",
                "1e+5",
                "1e-05",
                "0e0",
                "-1.5E-10",
                "1e999"
            })
    void takesEveryFormOfNumber(String number) {
        assertValid(number);
        assertValid(" [ " + number + " , " + number + " ] ");
        assertValid("{\"n\":" + number + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-",
                "+1",
                "01",
                "-01",
                "00",
                ".5",
                "-.5",
                "1.",
                "1.e5",
                "1e",
                "1e+",
                "1e-",
                "1E+-1",
                "1e1.5",
                "1.2.3",
                "0x10",
                "1_000",
                "1,5",
                "--1",
                "- 1",
                "NaN",
                "Infinity",
                "-Infinity",
                "１",
                "1a",
                "1f",
                "٣"
            })
    void refusesEveryOtherFormOfNumber(String number) {
        assertInvalid(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "false",
                "null",
                " \t\r\n null \t\r\n ",
                "\"\"",
                "\" \"",
                "\"\u007F\u0080\u2028\"",
                "\"Grüße 日本語 😀\"",
                "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                "\"\\u0000\\uFFFF\\uabCD\"",
                "\"\\uD800\"",
                "\"//\"",
                "[]",
                "[ ]",
                "[1,\"a\",null,true,[],{}]",
                "[[[[]]]]",
                "{}",
                "{ }",
                "{\"\":0}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":{\"b\":[{\"c\":null}]}}",
                "{\"Image\":{\"Width\":800,\"Animated\":false,\"IDs\":[116,943,234,38793]}}"
            })
    void takesEveryKindOfValue(String json) {
        assertValid(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\n",
                "\0",
                "x",
                "tru",
                "TRUE",
                "True",
                "nul",
                "nulll",
                "truefalse",
                "undefined",
                "'a'",
                "\"",
                "\"a",
                "\"\\\"",
                "\"\\",
                "\"\\a\"",
                "\"\\'\"",
                "\"\\0\"",
                "\"\\u\"",
                "\"\\u123\"",
                "\"\\u123g\"",
                "\"\\U0041\"",
                "\"\\u １23\"",
                "\"\n\"",
                "\"\t\"",
                "\"\0\"",
                "\"\u001F\"",
                "\"a\" \"b\"",
                "[",
                "]",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[,]",
                "[1 2]",
                "[1;2]",
                "[1}",
                "[]]",
                "[1]2",
                "{",
                "}",
                "{]",
                "{\"a\"}",
                "{\"a\":",
                "{\"a\":}",
                "{\"a\":1",
                "{\"a\":1,",
                "{\"a\":1,}",
                "{,}",
                "{,\"a\":1}",
                "{a:1}",
                "{1:1}",
                "{'a':1}",
                "{\"a\" 1}",
                "{\"a\"=1}",
                "{\"a\"::1}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":1}}",
                "{null:1}",
                "// comment\n1",
                "/* comment */ 1",
                "1 // comment",
                "\uFEFF{}",
                "\u00A01",
                "1\u00A0",
                "\f1",
                "\u000B1",
                "\u20281",
                "{}{}",
                "{} {}",
                "1 2"
            })
    void refusesEverythingElse(String text) {
        assertInvalid(text);
    }

    @SuppressWarnings("UnusedVariable") // read by name
    private static final Arguments[] POSITIONS = {
        Arguments.of("", "the end", 0),
        Arguments.of("  ?", "no value", 2),
        Arguments.of("[1, ?]", "no value", 4),
        Arguments.of("{\"a\" 1}", "no ':'", 5),
        Arguments.of("[1", "the end where ']' belongs", 2),
        Arguments.of("[1 2]", "no ']'", 3),
        Arguments.of("\"ab\ncd\"", "a control character inside a string", 3),
        Arguments.of("\"a\\qb\"", "an unknown escape", 3),
        Arguments.of("\"\\u00zz\"", "something other than a hexadecimal digit", 5),
        Arguments.of("{} {}", "more text after the value", 3)
    };

    @ParameterizedTest
    @FieldSource("POSITIONS")
    void saysWhatItMetWhere(String text, String met, int position) {
        assertThatThrownBy(() -> JsonCodec.validate(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("is not JSON: " + met + " at character " + position);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void takesDeepNestingUpToALimit(String open) {
        String close = open.equals("[") ? "]" : "}";

        assertValid(open.repeat(512) + "1" + close.repeat(512));
        assertThatThrownBy(() -> JsonCodec.validate(open.repeat(513) + "1" + close.repeat(513)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nesting deeper than 512");
    }

    @Test
    void meetsItsLimitBeforeTheStackMeetsIts() {
        assertThatThrownBy(() -> JsonCodec.validate("[".repeat(1_000_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nesting deeper than 512");
    }

    @Test
    void takesAWideDocument() {
        assertValid("[" + "[],".repeat(100_000) + "[]]");
    }

    private static void assertValid(String json) {
        assertThatCode(() -> JsonCodec.validate(json)).doesNotThrowAnyException();
    }

    private static void assertInvalid(String text) {
        assertThatThrownBy(() -> JsonCodec.validate(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("is not JSON: ");
    }
}
