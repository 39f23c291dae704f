package catbox.mutations;

/** What has to notice a mutation. */
sealed interface Catcher {

    /** The gate applies mutations that are found within a number of seeds, and {@code ./catbox mutate} applies all. */
    int GATE_SEEDS_MAX = 300;

    /** The simulator, within a number of seeds. */
    record Seeds(int max) implements Catcher {
        @Override
        public String toString() {
            return "the simulator within " + max + " seeds";
        }
    }

    /**
     * A test, which may start servers.
     *
     * @param module the folder of its module
     * @param type the name of its class
     * @param method of that class or of one that it inherits from; empty for all
     */
    record Test(String module, String type, String method) implements Catcher {
        @Override
        public String toString() {
            return type.substring(type.lastIndexOf('.') + 1) + (method.isEmpty() ? "" : "." + method) + " of " + module;
        }
    }

    /** Nothing does, for a reason that was accepted. */
    record Nothing(String reason) implements Catcher {
        @Override
        public String toString() {
            return "nothing: " + reason;
        }
    }

    default boolean isForTheGate() {
        return this instanceof Seeds seeds && seeds.max() <= GATE_SEEDS_MAX;
    }
}
