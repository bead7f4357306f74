package io.distributedfallback.it.server;

import java.util.ArrayList;
import java.util.List;
import org.netbeans.lib.profiler.heap.FieldValue;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.Value;

/** Who holds an object, for the message of a test that has found one too many. */
final class Roots {

    private static final int LONGEST = 40;

    private Roots() {}

    /** The references by which an object is reached, from itself to the root, without weak ones. */
    static String pathTo(Instance object) {
        List<String> path = new ArrayList<>();
        Instance current = object;
        while (current != null && path.size() < LONGEST) {
            Instance holder = current.getNearestGCRootPointer();
            path.add(name(current) + fieldOf(current, holder));
            if (holder == null || holder.equals(current)) {
                break;
            }
            current = holder;
        }
        return String.join("\n  in ", path);
    }

    private static String name(Instance object) {
        return object.getJavaClass().getName() + "@" + Long.toHexString(object.getInstanceId())
                + (object.isGCRoot() ? " (root)" : "");
    }

    private static String fieldOf(Instance object, Instance holder) {
        for (Object reference : object.getReferences()) {
            if (reference instanceof Value value
                    && value.getDefiningInstance().equals(holder)
                    && value instanceof FieldValue field) {
                return " as " + field.getField().getName();
            }
        }
        return "";
    }
}
