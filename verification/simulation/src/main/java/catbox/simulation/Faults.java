package catbox.simulation;

/**
 * What goes wrong, and how often. Probabilities are per call.
 *
 * @param crash a process dies before or after the effect of a call
 * @param lostReply a call has its effect and its answer does not arrive
 * @param refused the store fails without an effect
 * @param slow a call takes up to seconds while other threads of its process run on
 * @param freeze a whole process stands still, often past its lease
 * @param freezeAtSettle the same as it is about to settle, besides
 * @param delivery a destination fails, answers late, twice or never
 * @param cluster nodes join, leave and die, partitions and strategy change, things are paused
 * @param clocks clocks are set
 */
record Faults(
        double crash,
        double lostReply,
        double refused,
        double slow,
        double freeze,
        double freezeAtSettle,
        double delivery,
        double cluster,
        double clocks) {

    /** Everything at once. */
    static final Faults HARSH = new Faults(0.002, 0.01, 0.01, 0.02, 0.002, 0, 0.15, 0.3, 0.1);
    /** Only what must not make duplicates: nodes join and leave in order, partitions move, destinations refuse. */
    static final Faults GENTLE = new Faults(0, 0, 0, 0.02, 0, 0, 0.1, 0.3, 0);
    /** Only the network and the store. */
    static final Faults NETWORK = new Faults(0, 0.03, 0.05, 0.05, 0, 0, 0.05, 0.05, 0);
    /** Only death and stillness. */
    static final Faults DEATH = new Faults(0.006, 0, 0, 0.01, 0.008, 0, 0.02, 0.3, 0);

    /** Calm. */
    static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The same for short runs, in which what is rare has to happen too. */
    Faults inShort() {
        return new Faults(
                3 * crash, 3 * lostReply, 3 * refused, slow, freeze, freeze > 0 ? 0.15 : 0, delivery, cluster, clocks);
    }

    boolean mayDuplicate() {
        return crash > 0 || lostReply > 0 || refused > 0 || freeze > 0;
    }
}
