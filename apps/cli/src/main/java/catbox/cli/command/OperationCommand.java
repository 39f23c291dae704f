package catbox.cli.command;

import catbox.cli.output.FieldList;
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

    private final CommandContext context;
    private final Operation operation;
    private final BulkOptions bulk = new BulkOptions();
    private final Map<String, ArgSpec> texts = new HashMap<>();

    OperationCommand(CommandContext context, Operation operation) {
        this.context = context;
        this.operation = operation;
    }

    CommandLine line() {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
        if (Request.Bulk.class.isAssignableFrom(operation.requestType())
                || operation.kind() == Operation.Kind.DESTROY) {
            spec.addMixin("bulk", CommandSpec.forAnnotatedObject(bulk));
        }
        for (Parameters.Parameter parameter : Parameters.of(operation.requestType())) {
            if (spec.findOption("--" + parameter.name()) == null) {
                ArgSpec text = text(parameter, texts.isEmpty() && parameter.required());
                texts.put(parameter.name(), text);
                spec.add(text);
            }
        }
        return new CommandLine(spec);
    }

    // The first parameter has no name on the command line if it is required.
    private static ArgSpec text(Parameters.Parameter parameter, boolean isFirst) {
        if (isFirst) {
            return PositionalParamSpec.builder()
                    .paramLabel(parameter.name().toUpperCase(Locale.ROOT))
                    .description(parameter.meaning())
                    .type(String[].class)
                    .index("0")
                    .arity("1")
                    .build();
        }
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
            String[] values = text.getValue();
            if (values != null) {
                given.put(name, values.length == 0 ? List.of("true") : List.of(values));
            }
        });
        Request<?> request = Parameters.read(operation.requestType(), given);
        if (request instanceof Request.Bulk many) {
            return new Bulk(context, bulk, operation.id(), "changed by " + operation.id()).run(many, "Continue?");
        }
        if (operation.kind() == Operation.Kind.DESTROY) {
            context.confirm("\"" + operation.id() + "\" cannot be undone. Continue?", bulk.yes);
        }
        Object result = context.admin().run(request);
        return result instanceof OperationResult done ? context.show(done) : context.show(result, () -> print(result));
    }

    private void print(Object result) {
        for (Map<String, List<String>> row : Parameters.rows(result)) {
            FieldList fields = new FieldList();
            row.forEach((name, values) -> fields.add(name, String.join(", ", values)));
            fields.print(context.screen());
            context.screen().print("");
        }
    }
}
