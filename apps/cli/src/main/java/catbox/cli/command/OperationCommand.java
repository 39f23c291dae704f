package catbox.cli.command;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.Parameters;
import outbox.admin.view.OperationResult;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The command of an operation that no class describes: it has the parameters of the request, and prints every result. */
final class OperationCommand implements Callable<Integer> {

    private final CommandContext desk;
    private final Operation operation;
    private final BulkOptions bulk = new BulkOptions();
    private final Map<String, ArgSpec> texts = new HashMap<>();

    OperationCommand(CommandContext desk, Operation operation) {
        this.desk = desk;
        this.operation = operation;
    }

    /** The first parameter has no name on the command line if it is required. */
    CommandLine line() {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
        boolean isBulk = Request.Bulk.class.isAssignableFrom(operation.requestType());
        if (isBulk || operation.kind() == Operation.Kind.DESTROY) {
            spec.addMixin("bulk", CommandSpec.forAnnotatedObject(bulk));
        }
        for (Parameters.Parameter parameter : Parameters.of(operation.requestType())) {
            if (spec.findOption("--" + parameter.name()) == null) {
                ArgSpec text = texts.isEmpty() && parameter.required() ? positional(parameter) : option(parameter);
                texts.put(parameter.name(), text);
                spec.add(text);
            }
        }
        return new CommandLine(spec);
    }

    private static ArgSpec positional(Parameters.Parameter parameter) {
        return PositionalParamSpec.builder()
                .required(true)
                .paramLabel(parameter.name().toUpperCase(Locale.ROOT))
                .description(parameter.meaning())
                .type(String.class)
                .index("0")
                .build();
    }

    private static ArgSpec option(Parameters.Parameter parameter) {
        return OptionSpec.builder("--" + parameter.name())
                .required(parameter.required())
                .paramLabel("TEXT")
                .description(parameter.meaning())
                .type(String[].class)
                .arity(parameter.flag() ? "0" : "1")
                .build();
    }

    @Override
    public Integer call() {
        Map<String, List<String>> given = new HashMap<>();
        texts.forEach((name, text) -> {
            Object value = text.getValue();
            if (value instanceof String[] values) {
                given.put(name, values.length == 0 ? List.of("true") : List.of(values));
            } else if (value != null) {
                given.put(name, List.of(value.toString()));
            }
        });
        Request<?> request = Parameters.read(operation.requestType(), given);
        if (request instanceof Request.Bulk many) {
            return new Bulk(desk, bulk, operation.id(), "changed by " + operation.id()).run(many, "Continue?");
        }
        if (operation.kind() == Operation.Kind.DESTROY) {
            desk.confirm("\"" + operation.id() + "\" cannot be undone. Continue?", bulk.yes);
        }
        Object result = desk.admin().run(request);
        return result instanceof OperationResult done ? desk.show(done) : desk.show(result, () -> print(result));
    }

    private void print(Object result) {
        for (Map<String, List<String>> row : Parameters.rows(result)) {
            FieldList fields = new FieldList();
            row.forEach((name, values) -> fields.add(name, String.join(", ", values)));
            fields.print(desk.screen());
            desk.screen().print("");
        }
    }
}
