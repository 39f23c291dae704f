package catbox.mutations;

import java.util.List;

/**
 * A fault that a change might build into the sources, and what has to notice it.
 *
 * @param why what would come of it
 */
record Mutation(String name, String why, Catcher catcher, List<Edit> edits) {

    static Mutation mutation(String name, String why, Catcher catcher, Edit... edits) {
        return new Mutation(name, why, catcher, List.of(edits));
    }

    static Edit edit(String file, String find, String replacement) {
        return new Edit(file, find, replacement);
    }

    /** Leaves a source as it is, which is compiled all the same: it contains a constant of one that is changed. */
    static Edit recompiled(String file) {
        String first = "package " + file.substring(0, file.lastIndexOf('/')).replace('/', '.') + ";";
        return new Edit(file, first, first);
    }

    @Override
    public String toString() {
        return name;
    }
}
