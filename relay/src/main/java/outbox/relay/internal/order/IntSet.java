package outbox.relay.internal.order;

import java.util.Arrays;

/** A set of numbers from 0 on, with eight bytes for each: boxed numbers would take five times that. */
final class IntSet {

    private static final int FREE = -1;
    private static final int CAPACITY_MIN = 64;

    /** Each number stands at the place that its hash gives, or behind it without a gap. */
    private int[] places = free(CAPACITY_MIN);

    private int size;

    private static int[] free(int capacity) {
        int[] places = new int[capacity];
        Arrays.fill(places, FREE);
        return places;
    }

    int size() {
        return size;
    }

    boolean contains(int number) {
        return places[placeOf(number)] == number;
    }

    void add(int number) {
        int place = placeOf(number);
        if (places[place] == FREE) {
            places[place] = number;
            size++;
            if (size > places.length / 2) {
                grow();
            }
        }
    }

    void remove(int number) {
        int gap = placeOf(number);
        if (places[gap] == FREE) {
            return;
        }
        places[gap] = FREE;
        size--;
        // What stands behind the gap may have been pushed there by the number that is gone.
        for (int next = after(gap); places[next] != FREE; next = after(next)) {
            int moved = places[next];
            places[next] = FREE;
            places[placeOf(moved)] = moved;
        }
    }

    void clear() {
        places = free(CAPACITY_MIN);
        size = 0;
    }

    private void grow() {
        int[] before = places;
        places = free(before.length * 2);
        for (int number : before) {
            if (number != FREE) {
                places[placeOf(number)] = number;
            }
        }
    }

    /** Where the number stands; a free place if it is not here. */
    private int placeOf(int number) {
        int place = (number * 0x9E3779B9) >>> (32 - Integer.numberOfTrailingZeros(places.length));
        while (places[place] != FREE && places[place] != number) {
            place = after(place);
        }
        return place;
    }

    private int after(int place) {
        return (place + 1) & (places.length - 1);
    }
}
